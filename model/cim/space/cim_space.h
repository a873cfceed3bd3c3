// The cim space of the desktop engine: its spatial choices with bounds, and a branch for each choice. A
// branch searches outward or inward for the best mapping, or outward for points of the latency-energy front.
#pragma once

#include <memory>
#include <type_traits>

#include "model/cim/search/branch.h"
#include "model/cim/search/inward_branch.h"
#include "model/cim/space/front_point.h"
#include "model/loopnest/space/nest_space.h"

namespace nestor::cim {

/// Direction in which temporal loops are placed. Inward supports only problems of energy alone
/// (InwardBranch::answers); outward supports all problems.
enum class Direction : std::uint8_t { outward, inward };

template <typename Storage>
using CimSpace = NestSpace<CimProblem, Mapping, Storage>;
using FrontPoints = FrontCollector<Mapping>;

/// Returns a lower bound on the latency: every step takes an MVM. least_additive() returns a lower bound on
/// the additive cost.
inline Int least_latency(const CimProblem& problem, Int steps) { return steps * problem.machine.mvm_cycles; }
inline Cost least_additive(const CimProblem& problem) { return additive_floor(problem); }

using RulesOf = ChoiceRulesOf<CimProblem>;
using nestor::bound_of_all;

/// Calls visit(std::type_identity<Branch>()) with the type of branch that tracks the cost parts of the
/// problem.
template <typename Visit>
auto with_outward_branch(const CimProblem& problem, Visit visit) {
  if (!problem.follows_latency()) return visit(std::type_identity<EnergyBranch>());
  if (problem.objective.latency_model == LatencyModel::stall) return visit(std::type_identity<StallBranch>());
  return visit(std::type_identity<MiredoBranch>());
}

/// Returns the space of a problem. `rules` may stop the enumeration of spatial choices.
template <typename Storage>
std::unique_ptr<CimSpace<Storage>> make_space(const CimProblem& problem, Direction direction,
                                              const RulesOf& rules = RulesOf()) {
  using Space = std::unique_ptr<CimSpace<Storage>>;
  if (direction == Direction::inward)
    return std::make_unique<BranchSpace<InwardBranch, Storage>>(problem, rules);
  return with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) -> Space {
    return std::make_unique<BranchSpace<Branch, Storage>>(problem, rules);
  });
}

/// Returns the space for the latency-energy front. The problem must come from front_problem().
template <typename Storage>
std::unique_ptr<CimSpace<Storage>> make_front_space(const CimProblem& problem, FrontPoints& front,
                                                    const RulesOf& rules = RulesOf()) {
  using Space = std::unique_ptr<CimSpace<Storage>>;
  return with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) -> Space {
    return std::make_unique<FrontSpace<Branch, Storage>>(problem, rules, front);
  });
}

}  // namespace nestor::cim
