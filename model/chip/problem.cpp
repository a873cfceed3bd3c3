#include "model/chip/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/chip/functions.h"

namespace nestor::chip {
namespace {

OperatorFacts facts_of(const ChipMachine& machine, const Operator& op) {
  OperatorFacts facts;
  const Int made = op.width * op.channels * op.bits.O;
  const Int read = op.row_in * op.bits.I;
  facts.l0_bits = read + made;  // for eq. (6.1); l0_cycles is for eq. (5.3)
  if (!machine.l0.hidden)
    facts.l0_cycles =
        std::max(cycles_for(read, machine.l0.bandwidth), cycles_for(made, machine.l0.bandwidth));
  facts.tensor_bytes = op.rows * op.width * op.channels * ceil_divide(op.bits.O, 8);
  facts.may_use_alu = op.kind != OperatorKind::array;
  if (op.kind == OperatorKind::alu) return facts;
  facts.may_use_alu = facts.may_use_alu && multiplies(machine);
  facts.usable = usable_crossbars(machine, op.bits);
  facts.layout = layout_of(machine, op.matrix, op.bits.W);
  facts.slices = machine.cell.dac == left_out ? 1 : ceil_divide(op.bits.I, machine.cell.dac);
  facts.may_use_array =
      facts.usable > 0 && (op.kind == OperatorKind::array || machine.cell.runtime_write) &&
      facts.layout.crossbars(facts.layout.least_parts) <= machine.cores.count() * facts.usable;
  const Int held =
      std::min(op.matrix.groups * op.matrix.rows, std::max<Int>(facts.usable, 0) * machine.cell.rows);
  // in_l of eq. (5.2), and the L1 bits of eq. (6.1).
  facts.local_in = cycles_for(held * op.bits.I, machine.l1.bandwidth);
  facts.local_bits = op.width * (held * op.bits.I + op.channels * op.bits.O);
  return facts;
}

}  // namespace

ChipProblem make_problem(const ChipMachine& machine, const ChipNetwork& network) {
  ChipProblem problem{machine, network, {}, {}};
  problem.readers.resize(network.operators.size());
  for (std::size_t i = 0; i < network.operators.size(); ++i) {
    const Operator& op = network.operators[i];
    problem.facts.push_back(facts_of(machine, op));
    for (std::size_t k = 0; k < op.inputs.size(); ++k)
      if (!network.is_input(op.inputs[k].tensor))
        problem.readers[network.producer(op.inputs[k].tensor)].push_back({i, k});
  }
  return problem;
}

// Computes, in doubles, upper bounds on the numbers that occur under any decisions. The limit is far enough
// below 2^63 to cover rounding.
std::optional<ChipRefusal> admit(const ChipMachine& machine, const ChipNetwork& network) {
  constexpr double most = 0x1p60;
  const auto real = [](Int value) { return static_cast<double>(value); };
  const double cells = real(machine.cell.rows) * real(machine.cell.columns);
  const double crossbars = real(machine.cores.count()) * real(machine.crossbars.count());
  double hop =
      real(machine.chip_noc.hop_cycles) * (real(machine.cores.rows) + real(machine.cores.columns)) +
      real(machine.core_noc.hop_cycles) * (real(machine.crossbars.rows) + real(machine.crossbars.columns));
  for (const Noc* noc : {&machine.chip_noc, &machine.core_noc})
    for (const auto& row : noc->cost)
      for (const Int cost : row) hop = std::max(hop, 2 * real(cost));
  double total = cells * crossbars + crossbars * real(machine.cell.rows) * real(machine.cell.write_cycles);
  double bytes = 0;
  for (const auto& input : network.inputs)
    bytes += real(input.rows) * real(input.width) * real(input.channels) * real(network.bits.I);
  for (const Operator& op : network.operators) {
    const double k = real(op.matrix.rows) * real(op.matrix.groups);
    const double n = real(op.matrix.columns) * real(op.bits.W);
    const double io = real(op.bits.I) + real(op.bits.O);
    const double pixels = real(op.rows) * real(op.width);
    const double mvm = real(op.bits.I) * real(machine.cell.rows) * (k + 1) + k * real(op.bits.I) +
                       cells * (real(machine.crossbars.count()) + k * n) * real(op.bits.I);
    total += k * (n + 1) * (cells + pixels + 1) + pixels * mvm +
             real(op.rows) * (real(op.row_in) * io + real(op.alu_ops)) +
             pixels * real(op.channels) * io * (pixels + 1) + hop * real(static_cast<Int>(op.inputs.size())) +
             real(op.in_channels) * io + real(machine.cell.rows) * real(machine.cell.write_cycles);
    bytes += pixels * real(op.channels) * real(op.bits.O);
    for (const auto& input : op.inputs) {
      total += std::fabs(real(input.need.a)) * real(op.rows) + std::fabs(real(input.need.b));
      if (!(total < most)) break;
    }
    if (!(total + 8 * bytes < most))
      return ChipRefusal{
          fmt::format("the figures of operator '{}' on this machine may exceed 64 bits", op.name)};
  }
  return std::nullopt;
}

}  // namespace nestor::chip
