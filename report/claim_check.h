// Comparison of the claims of a loop-nest result with the proofs of a repeated search: status, bound, and
// completeness of fronts and of lists of best mappings.
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

/// The claim of a layer, or of all layers if they are proved together.
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

// Functions that read parts of a result's JSON. They return nothing, or an empty list, if the value is
// missing or has another type.
std::optional<double> number_of(const io::Json& json, const char* key);
std::optional<Status> status_of(const io::Json& json);
const io::Json& list_of(const io::Json& json, const char* key);

/// Compares each claim with its proof. Removes the entries of `unproved` from `not_checked` if the proofs
/// decide every claim. Otherwise, limits these entries to the undecided claims.
void check_claims(std::span<const ClaimedOptimum> claims, std::span<const ProvedOptimum> proofs, bool pareto,
                  std::span<const std::string_view> unproved, io::ResultCheck& check);

/// Returns the optima that a loop-nest mapper found and proved. `point_of` converts a point of its front.
template <typename Map, typename PointOf>
ProvedOptimum proof_of(const Map& map, const PointOf& point_of) {
  ProvedOptimum proof{map.status, map.bound, {}, {}};
  for (const auto& mapped : map.best) proof.best.push_back(mapped.objective);
  for (const auto& mapped : map.front) proof.front.push_back(point_of(mapped));
  return proof;
}

}  // namespace nestor::report
