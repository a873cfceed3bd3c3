#include "model/chip/operator_timing.h"

#include <algorithm>

namespace nestor::chip {
namespace {

// Equation (5.6).
OperatorTiming on_alu(const ChipProblem& problem, std::size_t index) {
  const Operator& op = problem.network.operators[index];
  const ChipMachine& machine = problem.machine;
  OperatorTiming pace;
  pace.row = std::max(cycles_for(op.alu_ops, machine.chip_alu), problem.facts[index].l0_cycles);
  pace.in = cycles_for(op.in_channels * op.bits.I, machine.l0.bandwidth);
  pace.out = cycles_for(op.channels * op.bits.O, machine.l0.bandwidth);
  pace.rounds = op.width;
  pace.stream_in = pace.in;
  return pace;
}

}  // namespace

OperatorTiming timing_of(const ChipProblem& problem, std::size_t index, const OperatorDecision& decision,
                         Levels levels) {
  const Operator& op = problem.network.operators[index];
  const bool on_array =
      op.kind == OperatorKind::array || (op.kind == OperatorKind::product && decision.on_array);
  if (!on_array) return on_alu(problem, index);

  const ChipMachine& machine = problem.machine;
  const OperatorFacts& facts = problem.facts[index];
  const Int parts = decision.parts == 0 ? facts.layout.least_parts : decision.parts;
  const Int copies = decision.copies;
  const Int of_a_copy = facts.layout.crossbars(parts);  // m
  const bool rows_shown = levels.vvm && machine.mode == Mode::WLM;
  OperatorTiming pace;
  pace.on_array = true;
  pace.crossbars_of_a_copy = of_a_copy;
  pace.crossbars = copies * of_a_copy;
  // Equation (4.1).
  pace.cores =
      levels.mvm ? ceil_divide(pace.crossbars, facts.usable) : copies * ceil_divide(of_a_copy, facts.usable);
  // Copies share the windows of a row; additional copies compute other rows. In mode CM, each copy computes
  // whole rows.
  const Int sharing = machine.mode == Mode::CM ? 1 : std::min(copies, op.width);  // d
  pace.lanes = machine.mode == Mode::CM ? copies : std::min(op.rows, std::max<Int>(1, copies / op.width));
  // Equation (5.1).
  const Int rows = rows_shown ? facts.layout.rows_used(parts) : machine.cell.rows;
  pace.active_cycles = facts.slices * ceil_divide(rows, machine.cell.parallel_rows);
  pace.mvm = pace.active_cycles * decision.phases;
  // Equations (5.2) and (5.3): cycles of a window and of a row.
  const Int shift_and_add =
      cycles_for(std::min(facts.usable, of_a_copy) * machine.cell.columns * facts.slices, machine.core_alu);
  const Int round = std::max({pace.mvm, facts.local_in, shift_and_add});  // w
  pace.sharing = sharing;
  pace.rounds = ceil_divide(op.width, sharing);
  pace.phases = decision.phases;
  pace.parts = parts;
  pace.row = std::max(pace.rounds * round, facts.l0_cycles);
  // Equations (5.4) and (5.5).
  pace.in =
      cycles_for(op.in_channels * op.bits.I, machine.l0.bandwidth) + facts.local_in + core_noc_cost(machine);
  pace.stream_in = pace.in - facts.local_in + ceil_divide(facts.local_in, decision.phases);
  pace.out = cycles_for(op.channels * op.bits.O, machine.l1.bandwidth) +
             cycles_for(op.channels * op.bits.O * copies, machine.l0.bandwidth);
  if (op.kind == OperatorKind::product) pace.gate = machine.cell.rows * machine.cell.write_cycles;
  pace.active = sharing * ceil_divide(parts, decision.phases) * facts.layout.columns;
  return pace;
}

}  // namespace nestor::chip
