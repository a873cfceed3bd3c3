// Ties: among mappings of equal objective the other cost decides, energy where the least latency is asked for
// and latency where the least energy is (docs/models/cim.md, section 8). A second search finds it: the other
// cost is minimised over the mappings that the first optimum admits. It leaves the first search, its node
// count and its bound alone, and a limit that stops it leaves a mapping whose objective is proved.
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

/// What the search of the other cost proved.
struct TieBreak {
  ObjectiveKind cost = ObjectiveKind::energy;  ///< the one that decides
  Status status = Status::optimal;             ///< optimal: no mapping of equal objective has less of it
  double bound = no_bound;                     ///< no mapping of equal objective has less than that
  SearchCounts counts;
  double seconds = 0;
};

/// The problem of the other cost among mappings that cost what the optimum does: its latency, or its additive
/// cost. Nothing if the objective leaves no ties to be broken: edp, eq14 and blended weigh both costs, and so
/// does energy on a machine that leaks.
template <typename Problem>
std::optional<Problem> tied_problem(const Problem& problem, Int latency, Cost additive) {
  // Sums of the same energies in another order differ in their last bits.
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
/// expansions more than that, so that a cheap proof stays cheap.
inline EngineOptions tie_options(EngineOptions options, std::uint64_t expanded) {
  options.work_limit = std::min(options.work_limit, expanded + 20'000);
  options.relative_gap = 0;
  options.keep_best = 1;
  return options;
}

/// How the second search ended. Where it met a limit of its own, and none that was `asked`, that is no limit
/// that anybody set.
inline Status tie_status(Status status, const EngineOptions& asked, const SearchCounts& counts) {
  return status == Status::work_limit && counts.expanded < asked.work_limit ? Status::heuristic : status;
}

/// Puts a mapping of equal objective before all others, of which its own spatial choice had at most one.
template <typename Mapped, typename Spatial>
void put_first(std::vector<Mapped>& best, Mapped mapped, std::size_t most, Spatial spatial) {
  std::erase_if(best, [&](const Mapped& other) {
    return other.shape == mapped.shape && spatial(other) == spatial(mapped);
  });
  best.insert(best.begin(), std::move(mapped));
  if (best.size() > most) best.resize(most);
}

}  // namespace nestor::mapper
