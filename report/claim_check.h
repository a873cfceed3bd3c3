// Comparison of the claims of a loop-nest result with what a repeated search proves:
// status, bound, completeness of fronts and of lists of the best.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "report/verify/result_check.h"

namespace nestor::report {

struct ClaimedPoint {
  std::optional<Int> latency_cycles;
  std::optional<double> energy_pj;
};

/// A layer, or all of them where they are proved together.
struct ClaimedOptimum {
  std::string subject;  ///< "layer 'conv'"
  std::string name;     ///< "'conv'"
  std::optional<Status> status;
  std::optional<double> lower_bound;
  std::optional<double> objective;
  std::vector<std::optional<double>> alternatives;  ///< objectives
  std::vector<ClaimedPoint> front;
};

struct ProvedOptimum {
  Status status = Status::infeasible;
  std::optional<double> bound;
  std::vector<double> best;  ///< objectives, ascending
  std::vector<ClaimedPoint> front;
};

ClaimedOptimum claim_of_layer(const std::string& name);

// Of a result as it was written; nothing, or an empty list, where it has something else there.
std::optional<double> number_of(const io::Json& json, const char* key);
std::optional<Status> status_of(const io::Json& json);
const io::Json& list_of(const io::Json& json, const char* key);

/// As many claims as proofs. What is decided is no longer among the entries that are not checked: `unproved`
/// are those that say that nobody has proved it.
void check_claims(std::span<const ClaimedOptimum> claims, std::span<const ProvedOptimum> proofs, bool pareto,
                  std::span<const std::string_view> unproved, io::ResultCheck& check);

/// What a mapper of loop nests found; a point of its front by `point_of`.
template <typename Map, typename PointOf>
ProvedOptimum proof_of(const Map& map, const PointOf& point_of) {
  ProvedOptimum proof{map.status, map.bound, {}, {}};
  for (const auto& mapped : map.best) proof.best.push_back(mapped.objective);
  for (const auto& mapped : map.front) proof.front.push_back(point_of(mapped));
  return proof;
}

}  // namespace nestor::report
