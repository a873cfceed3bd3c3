#include "model/chip/second_reading/operator_reading.h"

namespace nestor::chip_reading {

MatrixReading read_matrix(const chip::ChipMachine& machine, const chip::Operator& op) {
  const auto& cell = machine.cell;
  const Wide slices = round_up_division(op.bits.W, cell.cell_bits);  // nb
  const Wide in_a_row = cell.columns / slices;                       // kx
  const Wide rows = op.matrix.rows;
  const Wide columns = op.matrix.columns;
  const Wide groups = op.matrix.groups;
  MatrixReading reading;
  reading.usable = machine.crossbars.count();
  if (machine.l1.size != chip::left_out) {
    const Wide slot = Wide{cell.rows} * op.bits.I + in_a_row * op.bits.O;
    reading.usable = smaller(reading.usable, machine.l1.size / slot);
  }
  // Slices are in separate crossbars, or side by side if this takes fewer crossbars.
  Wide of_a_group = slices * round_up_division(columns, cell.columns);
  if (in_a_row > 0) of_a_group = smaller(of_a_group, round_up_division(columns, in_a_row));
  const Wide together = in_a_row > 0 && groups > 1 ? smaller(cell.rows / rows, in_a_row / columns) : 0;  // gp
  if (together > 0) {
    reading.columns = 1;
    reading.least_parts = round_up_division(groups, together);
    reading.most_parts = reading.shared = groups;
    reading.group_rows = rows;
  } else {
    reading.columns = groups * of_a_group;
    reading.least_parts = round_up_division(rows, cell.rows);
    reading.most_parts = reading.shared = rows;
  }
  return reading;
}

namespace {

// Returns the cycles that a row takes through its L0 port in the slower direction, or 0 if transfers overlap
// with computation.
Wide port_cycles(const chip::ChipMachine& machine, const chip::Operator& op) {
  if (machine.l0.hidden) return 0;
  const Wide inward = Wide{op.row_in} * op.bits.I;
  const Wide outward = Wide{op.width} * op.channels * op.bits.O;
  return passing_time(larger(inward, outward), machine.l0.bandwidth);
}

Wide core_way(const chip::ChipMachine& machine) {
  const auto& noc = machine.core_noc;
  if (noc.kind == chip::NocKind::mesh)
    return (Wide{machine.crossbars.rows} + machine.crossbars.columns - 2) * noc.hop_cycles;
  Wide costliest = 0;
  if (noc.kind == chip::NocKind::h_tree) {
    // Opposite corners have the largest distance.
    Wide side = larger(machine.crossbars.rows, machine.crossbars.columns) - 1;
    for (; side > 0; side = side / 2) costliest = costliest + 2 * noc.hop_cycles;
  }
  if (noc.kind == chip::NocKind::matrix)
    for (const auto& line : noc.cost)
      for (const Int cost : line) costliest = larger(costliest, cost);
  return costliest;
}

}  // namespace

OperatorReading read_operator(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                              const chip::Decisions& decisions, std::size_t index) {
  const chip::Operator& op = network.operators[index];
  const auto& decision = decisions.operators[index];
  const auto& cell = machine.cell;
  const Wide port = machine.l0.bandwidth;
  OperatorReading reading;
  reading.on_array = op.kind == chip::OperatorKind::array || decision.on_array;
  reading.row_bits = Wide{op.row_in} * op.bits.I + Wide{op.width} * op.channels * op.bits.O;
  reading.in = passing_time(Wide{op.in_channels} * op.bits.I, port);
  if (!reading.on_array) {
    reading.row = larger(passing_time(op.alu_ops, machine.chip_alu), port_cycles(machine, op));
    reading.out = passing_time(Wide{op.channels} * op.bits.O, port);
    reading.rounds = op.width;
    reading.stream_in = reading.in;
    return reading;
  }
  const MatrixReading matrix = read_matrix(machine, op);
  reading.copies = decision.copies;
  reading.parts = decision.parts == 0 ? matrix.least_parts : Wide{decision.parts};
  reading.phases = decision.phases;
  reading.copy_crossbars = matrix.crossbars(reading.parts);
  reading.crossbars = reading.copies * reading.copy_crossbars;
  reading.cores = decisions.levels.mvm
                      ? round_up_division(reading.crossbars, matrix.usable)
                      : reading.copies * round_up_division(reading.copy_crossbars, matrix.usable);

  // Copies share the windows of a row; additional copies compute other rows. In mode CM, each copy computes
  // whole rows.
  const bool rows_only = machine.mode == chip::Mode::CM;
  const Wide sharing = rows_only ? 1 : smaller(reading.copies, op.width);  // d
  reading.lanes = rows_only ? reading.copies : smaller(op.rows, larger(1, reading.copies / op.width));

  const Wide passes = machine.cell.dac == chip::left_out ? 1 : round_up_division(op.bits.I, cell.dac);
  const bool remapped = decisions.levels.vvm && machine.mode == chip::Mode::WLM;
  const Wide rows = remapped ? matrix.rows_used(reading.parts) : Wide{cell.rows};
  reading.active_cycles = passes * round_up_division(rows, cell.parallel_rows);
  reading.mvm = reading.active_cycles * reading.phases;
  const Wide gathered =
      smaller(Wide{op.matrix.groups} * op.matrix.rows, matrix.usable * cell.rows) * op.bits.I;
  const Wide filling = passing_time(gathered, machine.l1.bandwidth);  // in_l
  const Wide adding =
      passing_time(smaller(matrix.usable, reading.copy_crossbars) * cell.columns * passes, machine.core_alu);
  const Wide round = larger(reading.mvm, larger(filling, adding));
  reading.row = larger(round_up_division(op.width, sharing) * round, port_cycles(machine, op));
  reading.sharing = sharing;
  reading.rounds = round_up_division(op.width, sharing);
  reading.stream_in = reading.in + round_up_division(filling, reading.phases) + core_way(machine);
  reading.in += filling + core_way(machine);
  const Wide pixel = Wide{op.channels} * op.bits.O;
  reading.out = passing_time(pixel, machine.l1.bandwidth) + passing_time(pixel * reading.copies, port);
  if (op.kind == chip::OperatorKind::product) reading.gate = Wide{cell.rows} * cell.write_cycles;
  reading.active = sharing * round_up_division(reading.parts, reading.phases) * matrix.columns;
  reading.local_bits = Wide{op.width} * (gathered + pixel);
  return reading;
}

}  // namespace nestor::chip_reading
