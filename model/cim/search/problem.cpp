#include "model/cim/search/problem.h"

#include <algorithm>

#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

// Bits of all operands that may take room in a memory, whole and at their widest.
Int most_bits(const CimProblem& problem, std::size_t memory) {
  Extents whole{};
  for (std::size_t d = 0; d < dim_count; ++d) whole[d] = problem.factors[d].product();
  Int bits = 0;
  for (const Operand operand : all_operands)
    if (problem.machine.memories[memory].operands.contains(operand) &&
        problem.machine.home(operand) != memory)
      bits += whole_bits(problem.layer, operand, whole);
  return bits;
}

}  // namespace

Cost additive_floor(const CimProblem& problem) {
  if constexpr (latency_only) return 0;
  const auto& memories = problem.machine.memories;
  if (!problem.objective.additive_is_energy()) {
    Cost locality = 0;
    for (std::size_t m = 0; m < memories.size(); ++m)
      locality +=
          static_cast<Cost>(m) * static_cast<Cost>(std::min(most_bits(problem, m), memories[m].capacity));
    return -problem.objective.additive_weight * locality;
  }
  return product_of<Cost>(problem.layer.bounds) * problem.machine.mac_energy;
}

CimProblem make_problem(const LayerShape& layer, const Architecture& machine, const CimObjective& objective) {
  CimProblem problem;
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
