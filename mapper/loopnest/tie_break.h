// Tie-breaking: among mappings of equal objective the other cost decides, energy for the objective latency
// and latency for the objective energy (docs/models/cim.md, section 8). A second search minimises the other
// cost over the mappings that the first optimum admits. It does not affect the first search, its node count
// or its bound. If a limit stops it, the objective of the mapping is still proved.
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
  ObjectiveKind cost = ObjectiveKind::energy;  ///< the other cost, which decides
  Status status = Status::optimal;             ///< optimal: no mapping of equal objective has a lower other
                                               ///< cost
  double bound = no_bound;                     ///< lower bound on the other cost, for all mappings of equal
                                               ///< objective
  SearchCounts counts;
  double seconds = 0;
};

/// Returns the problem of the other cost among mappings with the optimum's latency or additive cost. Returns
/// nothing if the objective leaves no ties to be broken: edp, eq14 and blended weigh both costs, and so does
/// energy on a machine that leaks.
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

/// Options of the second search: the work left after the first, which took `expanded`, and at most 20,000
/// more expansions than that, so that a cheap proof stays cheap.
inline EngineOptions tie_options(EngineOptions options, std::uint64_t expanded) {
  options.work_limit = std::min(options.work_limit, expanded + 20'000);
  options.relative_gap = 0;
  options.keep_best = 1;
  return options;
}

/// Returns the status of the second search. If it reached its internal limit, but none of `asked`, this is
/// not reported as a limit of the user.
inline Status tie_status(Status status, const EngineOptions& asked, const SearchCounts& counts) {
  return status == Status::work_limit && counts.expanded < asked.work_limit ? Status::heuristic : status;
}

/// Inserts a mapping of equal objective before all others and removes the one with the same spatial choice,
/// if any.
template <typename Mapped, typename Spatial>
void put_first(std::vector<Mapped>& best, Mapped mapped, std::size_t most, Spatial spatial) {
  std::erase_if(best, [&](const Mapped& other) {
    return other.shape == mapped.shape && spatial(other) == spatial(mapped);
  });
  best.insert(best.begin(), std::move(mapped));
  if (best.size() > most) best.resize(most);
}

}  // namespace nestor::mapper
