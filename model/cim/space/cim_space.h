// The cim space as the engine sees it on a desktop: its spatial choices with bounds, and a branch for each,
// in one of two directions or for points of the latency-energy front.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "model/cim/search/branch.h"
#include "model/cim/search/inward_branch.h"
#include "model/cim/space/front_point.h"
#include "model/loopnest/space/nest_space.h"

namespace nestor::cim {

/// From where temporal loops are placed. Either direction answers a problem of energy alone
/// (InwardBranch::answers), all others need the first.
enum class Direction : std::uint8_t { outward, inward };

template <typename Storage>
using CimSpace = NestSpace<Problem, Mapping, Storage>;
using FrontPoints = FrontCollector<Mapping>;

/// Cycles that a choice takes at least: every step takes an MVM.
inline Int least_latency(const Problem& problem, const ChoiceList& choices, std::size_t choice) {
  return choices.steps(choice) * problem.machine.mvm_cycles;
}

/// A lower bound on all choices, listed or not.
inline double bound_of_all(const Problem& problem) {
  const Int cycles = least_steps(problem, problem.machine) * problem.machine.mvm_cycles;
  return problem.objective.combine(static_cast<double>(cycles), additive_floor(problem));
}

/// Whether points of the front cover all that a choice may hold.
inline bool covered(const Problem& problem, const ChoiceList& choices, std::size_t choice, Stairs stairs) {
  return stairs.cover(least_latency(problem, choices, choice),
                      std::max(additive_floor(problem), problem.known_additive));
}

/// The enumeration's rules: every step takes an MVM, and the additive cost has a floor.
class RulesOf {
 public:
  using GoOn = std::function<bool(std::size_t bytes)>;
  explicit RulesOf(GoOn go_on = {}) : go_on_(std::move(go_on)) {}

  ChoiceRules operator()(const Problem& problem) const {
    const auto bound = [&problem, additive = additive_floor(problem)](Int steps) {
      return problem.objective.combine(static_cast<double>(steps * problem.machine.mvm_cycles), additive);
    };
    return {.bound = bound, .go_on = go_on_};
  }

 private:
  GoOn go_on_;
};

/// Calls visit(std::type_identity<Branch>()) with the branch that follows what the problem asks to follow.
template <typename Visit>
auto with_outward_branch(const Problem& problem, Visit visit) {
  if (!problem.follows_latency()) return visit(std::type_identity<EnergyBranch>());
  if (problem.objective.latency_model == LatencyModel::stall) return visit(std::type_identity<StallBranch>());
  return visit(std::type_identity<MiredoBranch>());
}

/// `go_on(bytes)`, asked now and then, may end the enumeration of spatial choices.
template <typename Storage>
std::unique_ptr<CimSpace<Storage>> make_space(const Problem& problem, Direction direction,
                                              const RulesOf& rules = RulesOf()) {
  using Space = std::unique_ptr<CimSpace<Storage>>;
  if (direction == Direction::inward)
    return std::make_unique<BranchSpace<InwardBranch, Storage>>(problem, rules);
  return with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) -> Space {
    return std::make_unique<BranchSpace<Branch, Storage>>(problem, rules);
  });
}

/// Of a front_problem.
template <typename Storage>
std::unique_ptr<CimSpace<Storage>> make_front_space(const Problem& problem, FrontPoints& front,
                                                    const RulesOf& rules = RulesOf()) {
  using Space = std::unique_ptr<CimSpace<Storage>>;
  return with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) -> Space {
    return std::make_unique<FrontSpace<Branch, Storage>>(problem, rules, front);
  });
}

}  // namespace nestor::cim
