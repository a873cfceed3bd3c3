// Problem with a single objective for the search for the latency-energy front, in every loop-nest space. The
// objective is the latency plus a small weight of the energy, which mainly breaks ties.
#pragma once

#include "model/loopnest/objective_kind.h"

namespace nestor {

/// Returns the problem that a search for the front solves. An energy of `typical_energy` weighs as much as
/// half a cycle; the weight affects only the order of the search.
template <typename Problem>
Problem front_problem(Problem problem, double typical_energy) {
  problem.objective.kind = ObjectiveKind::blended;
  problem.objective.leakage = 0;
  problem.objective.latency_weight = 1;
  problem.objective.additive_weight = typical_energy > 0 ? 0.5 / typical_energy : 0;
  return problem;
}

}  // namespace nestor
