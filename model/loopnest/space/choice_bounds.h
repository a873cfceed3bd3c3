// Bounds on spatial choices before anything is placed below them, and what ends their enumeration. A space
// says, beside its problem (a NestProblem with a machine and an objective),
// - least_latency(problem, steps): cycles that no mapping of so many temporal steps goes below;
// - least_additive(problem): no mapping has a lower additive cost;
// - allows(problem, choice), if it forbids choices beyond the axes' own rules.
#pragma once

#include <algorithm>
#include <utility>

#include "model/loopnest/search/staircase.h"
#include "model/loopnest/space/choice_list.h"

namespace nestor {

/// A lower bound on all choices, listed or not.
template <typename Problem>
double bound_of_all(const Problem& problem) {
  const Int cycles = least_latency(problem, least_steps(problem, problem.machine));
  return problem.objective.combine(static_cast<double>(cycles), least_additive(problem));
}

/// Whether points of the front cover all that a choice may hold.
template <typename Problem>
bool covered(const Problem& problem, const ChoiceList& choices, std::size_t choice, Staircase staircase) {
  return staircase.cover(least_latency(problem, choices.steps(choice)),
                         std::max(least_additive(problem), problem.known_additive));
}

/// Makes the rules of an enumeration. `go_on(bytes)`, asked now and then, may end it.
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
    rules.worth = problem.worth;
    rules.go_on = go_on_;
    return rules;
  }

 private:
  GoOn go_on_;
};

}  // namespace nestor
