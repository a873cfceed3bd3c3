// The pim space as the engine sees it on a desktop: its spatial choices with bounds, and a branch for each.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "model/loopnest/space/nest_space.h"
#include "model/pim/search/branch_expand.h"

namespace nestor::pim {

template <typename Storage>
using PimSpace = NestSpace<Problem, PimMapping, Storage>;
using FrontPoints = FrontCollector<PimMapping>;

/// Cycles that no mapping of so many temporal steps goes below.
inline Int least_latency(const Problem& problem, Int steps) {
  return std::max(problem.known_latency, compute_cycles(problem.machine, steps));
}

/// A lower bound on all choices, listed or not.
inline double bound_of_all(const Problem& problem) {
  const Int cycles = least_latency(problem, least_steps(problem, problem.machine));
  return problem.objective.combine(static_cast<double>(cycles),
                                   std::max(energy_floor(problem), problem.known_additive));
}

/// Whether points of the front cover all that a choice may hold.
inline bool covered(const Problem& problem, const ChoiceList& choices, std::size_t choice, Stairs stairs) {
  return stairs.cover(least_latency(problem, choices.steps(choice)),
                      std::max(energy_floor(problem), problem.known_additive));
}

inline FrontPoint<PimMapping> front_point(const Problem& problem, const PimMapping& mapping) {
  RowCounter rows;
  const PimEvaluation evaluation = evaluate(problem.layer, problem.machine, mapping, rows);
  return {.mapping = mapping, .latency = evaluation.latency_cycles, .energy = evaluation.energy_pj};
}

/// The enumeration's rules: compute takes its steps, and dimensions keep to one axis where they must.
class RulesOf {
 public:
  using GoOn = std::function<bool(std::size_t bytes)>;
  explicit RulesOf(GoOn go_on = {}) : go_on_(std::move(go_on)) {}

  ChoiceRules operator()(const Problem& problem) const {
    const auto bound = [&problem,
                        energy = std::max(energy_floor(problem), problem.known_additive)](Int steps) {
      return problem.objective.combine(static_cast<double>(least_latency(problem, steps)), energy);
    };
    const auto allows = [&problem](const SpatialChoice& choice) {
      return keeps_dims_once(problem.machine, choice) &&
             (!problem.twin_axes || is_first_twin(problem, choice));
    };
    return {.bound = bound, .allows = allows, .go_on = go_on_};
  }

 private:
  GoOn go_on_;
};

template <typename Storage>
std::unique_ptr<PimSpace<Storage>> make_space(const Problem& problem, const RulesOf& rules = RulesOf()) {
  return std::make_unique<BranchSpace<PimBranch, Storage>>(problem, rules);
}

/// Of a front_problem.
template <typename Storage>
std::unique_ptr<PimSpace<Storage>> make_front_space(const Problem& problem, FrontPoints& front,
                                                    const RulesOf& rules = RulesOf()) {
  return std::make_unique<FrontSpace<PimBranch, Storage>>(problem, rules, front);
}

}  // namespace nestor::pim
