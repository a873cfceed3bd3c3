#include "model/cim/space/problem.h"

namespace nestor::cim {

Problem make_problem(const LayerShape& layer, const Architecture& machine, const Objective& objective) {
  Problem problem;
  problem.layer = layer;
  problem.machine = machine;
  problem.objective = objective;
  problem.objective.leakage = machine.leakage;
  if (objective.kind == ObjectiveKind::eq14 && objective.additive_weight < 0)
    problem.objective.additive_weight = default_eq14_weight(machine);
  problem.factors = prime_factors(layer.bounds);
  return problem;
}

}  // namespace nestor::cim
