// The search of the latency-energy front, in every loop-nest space, as a search for one objective: fast
// mappings first, energy breaks ties.
#pragma once

#include "model/loopnest/objective_kind.h"

namespace nestor {

/// The problem that a search of the front solves. Energies around `typical_energy` weigh half a cycle, which
/// matters to the order only.
template <typename Problem>
Problem front_problem(Problem problem, double typical_energy) {
  problem.objective.kind = ObjectiveKind::blended;
  problem.objective.leakage = 0;
  problem.objective.latency_weight = 1;
  problem.objective.additive_weight = typical_energy > 0 ? 0.5 / typical_energy : 0;
  return problem;
}

}  // namespace nestor
