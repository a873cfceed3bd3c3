#include "model/chip/crossbars.h"

#include <limits>

namespace nestor::chip {
namespace {

constexpr Int nowhere = std::numeric_limits<Int>::max();

}  // namespace

CrossbarLayout layout_of(const ChipMachine& machine, const Matrix& matrix, Int weight_bits) {
  const CellArray& cell = machine.cell;
  CrossbarLayout layout;
  layout.matrix_rows = matrix.rows;
  layout.groups = matrix.groups;
  const Int nb = layout.slices_per_weight = ceil_divide(weight_bits, cell.cell_bits);
  const Int kx = layout.columns_per_row = cell.columns / nb;
  // Equation (3.1).
  const Int beside = kx == 0 ? nowhere : ceil_divide(matrix.columns, kx);
  const Int apart = nb * ceil_divide(matrix.columns, cell.columns);
  layout.slices_in_crossbars = apart < beside;
  layout.columns = std::min(beside, apart);
  if (matrix.groups > 1) {
    layout.groups_packed = std::min(cell.rows / matrix.rows, kx / matrix.columns);
    layout.packed = layout.groups_packed >= 1;
  }
  if (layout.packed) {  // equation (3.3)
    layout.slices_in_crossbars = false;
    layout.columns = 1;
    layout.least_parts = ceil_divide(matrix.groups, layout.groups_packed);
    layout.most_parts = matrix.groups;
  } else {  // equation (3.2)
    layout.columns *= matrix.groups;
    layout.least_parts = ceil_divide(matrix.rows, cell.rows);
    layout.most_parts = matrix.rows;
  }
  return layout;
}

Int usable_crossbars(const ChipMachine& machine, const Bits& bits) {
  const Int all = machine.crossbars.count();
  if (machine.l1.size == left_out) return all;
  const Int finished = machine.cell.columns / ceil_divide(bits.W, machine.cell.cell_bits);
  return std::min(all, machine.l1.size / (machine.cell.rows * bits.I + finished * bits.O));
}

}  // namespace nestor::chip
