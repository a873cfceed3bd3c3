// Tie-breaking: among mappings of equal objective, the other cost decides: energy if the objective is
// latency, and latency if it is energy (docs/models/cim.md, section 8). A second search minimises the other
// cost over the mappings that reach the optimum of the first search. It does not affect the first search, its
// node count or its bound. If a limit stops it, the objective of the mapping is still proved.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/status.h"
#include "model/loopnest/dims.h"
#include "model/loopnest/objective_kind.h"
#include "solver/engine/engine_options.h"
#include "solver/search/label_search.h"

namespace nestor::mapper {

/// Result of the search for the other cost.
struct TieBreak {
  ObjectiveKind cost = ObjectiveKind::energy;  ///< the other cost
  /// Optimal if no mapping of equal objective has a lower other cost.
  Status status = Status::optimal;
  /// Lower bound on the other cost of all mappings of equal objective.
  double bound = no_bound;
  SearchCounts counts;
  double seconds = 0;
};

/// Returns the problem of minimising the other cost among mappings whose latency or additive cost is at most
/// that of the optimum (`latency` or `additive`). Returns nothing if the objective leaves no ties to break:
/// edp, eq14 and blended depend on both costs, and so does energy on a machine with leakage.
template <typename Problem>
std::optional<Problem> tied_problem(const Problem& problem, Int latency, Cost additive) {
  // Sums of the same energies in different orders differ in their last bits.
  constexpr Cost rounding = 1e-12;
  Problem tied = problem;
  if (problem.objective.kind == ObjectiveKind::latency) {
    tied.objective.kind = ObjectiveKind::energy;
    tied.known_latency = latency;
    tied.constraints.max_latency = std::min(problem.constraints.max_latency, latency);
    return tied;
  }
  if (problem.objective.kind != ObjectiveKind::energy || problem.objective.leakage > 0) return std::nullopt;
  tied.objective.kind = ObjectiveKind::latency;
  tied.constraints.max_additive =
      std::min(problem.constraints.max_additive, additive + std::abs(additive) * rounding);
  return tied;
}

/// Returns the options of the second search. The first search took `expanded` expansions. The second search
/// may take at most 20,000 more than that, so that a cheap proof stays cheap. `options` contains the limits
/// that remain after the first search.
inline EngineOptions tie_options(EngineOptions options, std::uint64_t expanded) {
  options.work_limit = std::min(options.work_limit, expanded + 20'000);
  options.relative_gap = 0;
  options.keep_best = 1;
  return options;
}

/// Returns the status of the second search. It is `heuristic`, not `work_limit`, if the search reached only
/// the limit of tie_options(), not the limit in `asked`.
inline Status tie_status(Status status, const EngineOptions& asked, const SearchCounts& counts) {
  return status == Status::work_limit && counts.expanded < asked.work_limit ? Status::heuristic : status;
}

/// Inserts a mapping of equal objective before all others. It replaces a mapping with the same spatial
/// choice, if there is one.
template <typename Mapped, typename Spatial>
void put_first(std::vector<Mapped>& best, Mapped mapped, std::size_t most, Spatial spatial) {
  std::erase_if(best, [&](const Mapped& other) {
    return other.shape == mapped.shape && spatial(other) == spatial(mapped);
  });
  best.insert(best.begin(), std::move(mapped));
  if (best.size() > most) best.resize(most);
}

}  // namespace nestor::mapper
