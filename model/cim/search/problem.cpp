#include "model/cim/search/problem.h"

#include <algorithm>

#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

// Returns the bits of all operands that may use a memory other than as their home, completely stored and at
// their largest width.
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

Cost base_energy(const CimProblem& problem, Int steps, Int inputs, Int outputs) {
  const Architecture& machine = problem.machine;
  const Memory& input = machine.memories[machine.innermost(Operand::I)];
  const Memory& sums = machine.memories[machine.innermost(Operand::O)];
  const BitWidths& bits = problem.layer.bits;
  return static_cast<Cost>(product_of(problem.layer.bounds)) * machine.mac_energy +
         static_cast<Cost>(inputs * bits.input * steps) * input.read_energy +
         static_cast<Cost>(outputs * bits.partial_sum * steps) * (sums.read_energy + sums.write_energy);
}

Int transfer_floor(const CimProblem& problem) {
  const auto bound = [&](Dim dim) { return problem.layer.bounds[index_of(dim)]; };
  Int cycles = 0;
  const auto moved = [&](Operand operand, Int elements) {
    const Memory& home = problem.machine.memories[problem.machine.home(operand)];
    Int bits = elements * problem.layer.bits.narrowest(operand);
    for (std::size_t a = 0; a < home.axes_above; ++a)  // the instances of the home share the tensor
      bits = ceil_divide(bits, problem.machine.axes[a].size);
    cycles = std::max(cycles, ceil_divide(bits, home.bandwidth));
  };
  // Strides and dilations may skip rows and columns of the input. Therefore only max(outputs, taps) of them
  // are included.
  const Int rows = std::max(bound(Dim::P), bound(Dim::R));
  const Int columns = std::max(bound(Dim::Q), bound(Dim::S));
  moved(Operand::I, bound(Dim::G) * bound(Dim::N) * bound(Dim::C) * rows * columns);
  moved(Operand::W, bound(Dim::G) * bound(Dim::K) * bound(Dim::C) * bound(Dim::R) * bound(Dim::S));
  moved(Operand::O, bound(Dim::G) * bound(Dim::N) * bound(Dim::K) * bound(Dim::P) * bound(Dim::Q));
  return cycles;
}

Cost cost_floor(const CimProblem& problem) {
  const Extents& bounds = problem.layer.bounds;
  const auto bound = [&](Dim dim) { return bounds[index_of(dim)]; };
  Int lanes = 1;
  for (const Axis& axis : problem.machine.axes) {
    Int most = 1;
    for (const Dim dim : all_dims)
      if (axis.dims.contains(dim) && most < axis.size) most *= bound(dim);
    lanes *= std::min(most, axis.size);
    lanes = std::min(lanes, product_of(bounds));
  }
  const Int latency =
      std::max(ceil_divide(product_of(bounds), lanes) * problem.machine.mvm_cycles, transfer_floor(problem));
  return problem.objective.combine(static_cast<Cost>(latency), additive_floor(problem));
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
