// The pim space of the desktop engine: its spatial choices with bounds, and a branch for each choice.
#pragma once

#include <algorithm>
#include <memory>

#include "model/loopnest/space/nest_space.h"
#include "model/pim/search/branch_expand.h"

namespace nestor::pim {

template <typename Storage>
using PimSpace = NestSpace<PimProblem, PimMapping, Storage>;
using FrontPoints = FrontCollector<PimMapping>;

/// Returns a lower bound on the cycles of mappings with this number of temporal steps.
inline Int least_latency(const PimProblem& problem, Int steps) {
  return std::max(problem.known_latency, compute_cycles(problem.machine, steps));
}

inline Cost least_additive(const PimProblem& problem) {
  return std::max(energy_floor(problem), problem.known_additive);
}
/// True if a choice satisfies the once-per-dimension rule.
inline bool allows(const PimProblem& problem, const SpatialChoice& choice) {
  return keeps_dims_once(problem.machine, choice);
}
/// Returns what choices of equal costs have in common.
inline SpatialChoice representative(const PimProblem& problem, const SpatialChoice& choice) {
  return problem.joins_axes ? joined(problem, choice) : choice;
}

using RulesOf = ChoiceRulesOf<PimProblem>;
using nestor::bound_of_all;

inline FrontPoint<PimMapping> front_point(const PimProblem& problem, const PimMapping& mapping) {
  RowCounter rows;
  const PimEvaluation evaluation = evaluate(problem.layer, problem.machine, mapping, rows);
  return {.mapping = mapping, .latency = evaluation.latency_cycles, .energy = evaluation.energy_pj};
}

template <typename Storage>
std::unique_ptr<PimSpace<Storage>> make_space(const PimProblem& problem, const RulesOf& rules = RulesOf()) {
  return std::make_unique<BranchSpace<PimBranch, Storage>>(problem, rules);
}

/// Returns the space for the latency-energy front. The problem must come from front_problem().
template <typename Storage>
std::unique_ptr<PimSpace<Storage>> make_front_space(const PimProblem& problem, FrontPoints& front,
                                                    const RulesOf& rules = RulesOf()) {
  return std::make_unique<FrontSpace<PimBranch, Storage>>(problem, rules, front);
}

}  // namespace nestor::pim
