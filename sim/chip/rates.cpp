#include "sim/chip/rates.h"

#include <algorithm>
#include <cstdlib>

namespace nestor::sim::chip {
namespace {

using nestor::chip::ChipMachine;
using nestor::chip::NocKind;

Int worst_cost_inside_core(const ChipMachine& machine) {
  const nestor::chip::Noc& noc = machine.core_noc;
  if (noc.kind == NocKind::ideal) return 0;
  if (noc.kind == NocKind::mesh)
    return noc.hop_cycles * (machine.crossbars.rows + machine.crossbars.columns - 2);
  Int worst = 0;
  if (noc.kind == NocKind::h_tree)
    for (Int block = 1; block < std::max(machine.crossbars.rows, machine.crossbars.columns); block *= 2)
      worst += 2 * noc.hop_cycles;
  for (const auto& from : noc.cost) {
    for (const Int cost : from) worst = std::max(worst, cost);
  }
  return worst;
}

}  // namespace

Rates rates_of(const chip_program::Program& program, const chip_program::ProgramOperator& op,
               const ChipMachine& machine) {
  const auto& keys = op.keys;
  Rates rates;
  const Int pixel_out = program.tensors[op.output].channels * keys.bits[2];
  rates.in = cycles_for(keys.in_channels * keys.bits[0], machine.l0.bandwidth);
  if (keys.columns == 0) {
    rates.out = cycles_for(pixel_out, machine.l0.bandwidth);
    rates.stream_in = rates.in;
    return rates;
  }
  const Int copy = keys.parts * keys.columns;
  rates.first_core = keys.xb / keys.usable;
  rates.last_core = (keys.xb + (keys.copies - 1) * keys.spacing + copy - 1) / keys.usable;
  const Int passes = machine.cell.dac <= 0 ? 1 : ceil_divide(keys.bits[0], machine.cell.dac);
  const Int slot_rows = std::min(keys.groups * keys.matrix[0], keys.usable * machine.cell.rows);
  rates.gathered = cycles_for(slot_rows * keys.bits[0], machine.l1.bandwidth);
  rates.shifted = cycles_for(std::min(keys.usable, copy) * machine.cell.columns * passes, machine.core_alu);
  rates.group_read = passes;
  rates.full_read = passes * ceil_divide(machine.cell.rows, machine.cell.parallel_rows);
  rates.stream_in = rates.in + ceil_divide(rates.gathered, keys.phases) + worst_cost_inside_core(machine);
  rates.in += rates.gathered + worst_cost_inside_core(machine);
  rates.out =
      cycles_for(pixel_out, machine.l1.bandwidth) + cycles_for(pixel_out * keys.copies, machine.l0.bandwidth);
  return rates;
}

namespace {

Int tree_cost(Int a, Int b, Int columns) {
  Int block = 1;
  Int levels = 0;
  while (a / columns / block != b / columns / block || a % columns / block != b % columns / block) {
    block *= 2;
    ++levels;
  }
  return 2 * levels;
}

Int cost_between(const ChipMachine& machine, Int a, Int b) {
  const nestor::chip::Noc& noc = machine.chip_noc;
  const Int columns = machine.cores.columns;
  if (noc.kind == NocKind::matrix) return noc.cost[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  if (noc.kind == NocKind::h_tree) return noc.hop_cycles * tree_cost(a, b, columns);
  return noc.hop_cycles * (std::abs(a / columns - b / columns) + std::abs(a % columns - b % columns));
}

}  // namespace

Int highest_transfer_cost(const ChipMachine& machine, const Rates& from, const Rates& to) {
  const nestor::chip::Noc& noc = machine.chip_noc;
  if (noc.kind == NocKind::ideal || (noc.kind != NocKind::matrix && noc.hop_cycles == 0)) return 0;
  Int worst = 0;
  for (Int a = from.first_core; a <= from.last_core; ++a)
    for (Int b = to.first_core; b <= to.last_core; ++b) worst = std::max(worst, cost_between(machine, a, b));
  return worst;
}

}  // namespace nestor::sim::chip
