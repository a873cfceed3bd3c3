// Search for the latency-energy front, in every loop-nest space, expressed as a search for a single
// objective. Fast mappings come first; energy breaks ties.
#pragma once

#include "model/loopnest/objective_kind.h"

namespace nestor {

/// Returns the problem that a search for the front solves. Energies near `typical_energy` weigh half a cycle,
/// which affects only the order.
template <typename Problem>
Problem front_problem(Problem problem, double typical_energy) {
  problem.objective.kind = ObjectiveKind::blended;
  problem.objective.leakage = 0;
  problem.objective.latency_weight = 1;
  problem.objective.additive_weight = typical_energy > 0 ? 0.5 / typical_energy : 0;
  return problem;
}

}  // namespace nestor
