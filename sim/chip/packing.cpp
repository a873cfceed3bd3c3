#include "sim/chip/packing.h"

#include <algorithm>

namespace nestor::sim::chip {

std::optional<Packing> packing_of(const nestor::chip::ChipMachine& machine,
                                  const chip_program::ProgramOperator& op) {
  const auto& keys = op.keys;
  const auto& cell = machine.cell;
  Packing p;
  p.groups = keys.groups;
  p.matrix_rows = keys.matrix[0];
  p.matrix_columns = keys.matrix[1];
  p.slice_bits = cell.cell_bits;
  p.slices = ceil_divide(keys.bits[1], cell.cell_bits);
  p.in_a_row = cell.columns / p.slices;
  const Int apart = p.slices * ceil_divide(p.matrix_columns, cell.columns);
  const Int beside = p.in_a_row > 0 ? ceil_divide(p.matrix_columns, p.in_a_row) : apart + 1;
  p.apart = apart < beside;
  p.group_columns = std::min(apart, beside);
  const Int side_by_side = std::min(cell.rows / p.matrix_rows, p.in_a_row / p.matrix_columns);
  p.packed = p.groups > 1 && side_by_side >= 1;
  if (p.packed) {
    p.rows = ceil_divide(p.groups, keys.parts);
    if (keys.columns != 1 || p.rows > side_by_side) return std::nullopt;
    return p;
  }
  p.rows = ceil_divide(p.matrix_rows, keys.parts);
  if (keys.columns != p.groups * p.group_columns || p.rows > cell.rows) return std::nullopt;
  return p;
}

}  // namespace nestor::sim::chip
