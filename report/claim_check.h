// Comparison of the claims of a loop-nest result with the proofs of a repeated search: status, bound, and
// completeness of fronts and of lists of best mappings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/workload/network.h"
#include "model/workload/unique_shapes.h"
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
/// Returns the claim of each layer. `layers` are the layers of a result, whose JSON is `claims`.
std::vector<ClaimedOptimum> claims_of_layers(std::span<const Layer> layers, const io::Json& claims);

// Functions that read parts of a result's JSON. They return nothing, or an empty list, if the value is
// missing or has another type.
std::optional<double> number_of(const io::Json& json, const char* key);
std::optional<Status> status_of(const io::Json& json);
const io::Json& list_of(const io::Json& json, const char* key);

/// Compares each claim with its proof. Removes the entries of `unproved` from `not_checked` if the proofs
/// decide every claim. Otherwise, limits these entries to the undecided claims.
void check_claims(std::span<const ClaimedOptimum> claims, std::span<const ProvedOptimum> proofs, bool pareto,
                  std::span<const std::string_view> unproved, io::ResultCheck& check);

/// Returns the optima that a search for the shapes of a run's layers found and proved. `cost_of` returns the
/// cost of a mapping of a layer.
template <typename Map, typename CostOf>
std::vector<ProvedOptimum> proofs_of(std::span<const Layer> layers, const UniqueShapes& shapes,
                                     const std::vector<Map>& maps, const CostOf& cost_of) {
  std::vector<ProvedOptimum> proofs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Map& map = maps[shapes.shape_of_layer[i]];
    auto& proof = proofs.emplace_back(ProvedOptimum{map.status, map.bound, {}, {}});
    for (const auto& mapped : map.best) proof.best.push_back(mapped.objective);
    for (const auto& mapped : map.front) {
      const auto cost = cost_of(mapped, layers[i]);
      proof.front.push_back({cost->cycles, cost->energy_pj});
    }
  }
  return proofs;
}

}  // namespace nestor::report
