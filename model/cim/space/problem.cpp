#include "model/cim/space/problem.h"

#include <algorithm>

#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

Int widest_bits(const BitWidths& bits, Operand operand) {
  if (operand == Operand::I) return bits.input;
  if (operand == Operand::W) return bits.weight;
  return std::max(bits.partial_sum, bits.output);
}

// Bits of all operands that may take room in a memory, whole and at their widest.
Int whole_bits(const Problem& problem, std::size_t memory) {
  Extents whole{};
  for (std::size_t d = 0; d < dim_count; ++d) whole[d] = problem.factors[d].product();
  Int bits = 0;
  for (const Operand operand : all_operands)
    if (problem.machine.memories[memory].operands.contains(operand) &&
        problem.machine.home(operand) != memory)
      bits += elements(problem.layer, operand, whole) * widest_bits(problem.layer.bits, operand);
  return bits;
}

}  // namespace

double additive_floor(const Problem& problem) {
  const auto& memories = problem.machine.memories;
  if (!problem.objective.additive_is_energy()) {
    double locality = 0;
    for (std::size_t m = 0; m < memories.size(); ++m)
      locality += static_cast<double>(m) *
                  static_cast<double>(std::min(whole_bits(problem, m), memories[m].capacity));
    return -problem.objective.additive_weight * locality;
  }
  double macs = 1;
  for (const Int bound : problem.layer.bounds) macs *= static_cast<double>(bound);
  return macs * problem.machine.mac_energy;
}

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
