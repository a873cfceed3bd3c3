// Lower bounds on spatial choices, computed before any temporal loop is placed, and the rules that limit the
// enumeration of choices. A space defines these functions next to its problem (a NestProblem with a machine
// and an objective):
// - least_latency(problem, steps): a lower bound on the cycles of a mapping with `steps` temporal steps;
// - least_additive(problem): a lower bound on the additive cost of every mapping;
// - allows(problem, choice): defined only if the space forbids choices that the rules of the axes allow;
// - representative(problem, choice): defined only if different choices may have the same mappings and costs.
#pragma once

#include <algorithm>
#include <utility>

#include "model/loopnest/search/staircase.h"
#include "model/loopnest/space/choice_list.h"

namespace nestor {

/// Returns a lower bound on the cost of every choice, listed or not.
template <typename Problem>
double bound_of_all(const Problem& problem) {
  const Int cycles = least_latency(problem, least_steps(problem, problem.machine));
  return problem.objective.combine(static_cast<double>(cycles), least_additive(problem));
}

/// True if a point of the front dominates the lower bounds of a choice, and thus every mapping below it.
template <typename Problem>
bool covered(const Problem& problem, const ChoiceList& choices, std::size_t choice, Staircase staircase) {
  return staircase.cover(least_latency(problem, choices.steps(choice)),
                         std::max(least_additive(problem), problem.known_additive));
}

/// Builds the rules of an enumeration. `go_on(bytes)` is called at intervals and stops the enumeration if it
/// returns false.
template <typename Problem>
class ChoiceRulesOf {
 public:
  using GoOn = std::function<bool(std::size_t bytes)>;
  explicit ChoiceRulesOf(GoOn go_on = {}) : go_on_(std::move(go_on)) {}

  ChoiceRules operator()(const Problem& problem) const {
    ChoiceRules rules;
    rules.bound = [&problem, additive = least_additive(problem)](Int steps) {
      return problem.objective.combine(static_cast<double>(least_latency(problem, steps)), additive);
    };
    if constexpr (requires(const SpatialChoice& choice) { allows(problem, choice); })
      rules.allows = [&problem](const SpatialChoice& choice) { return allows(problem, choice); };
    if constexpr (requires(const SpatialChoice& choice) { representative(problem, choice); })
      rules.representative = [&problem](const SpatialChoice& choice) {
        return representative(problem, choice);
      };
    rules.worth = problem.worth;
    rules.go_on = go_on_;
    return rules;
  }

 private:
  GoOn go_on_;
};

}  // namespace nestor
