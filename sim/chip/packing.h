// Placement of weights in cells (internal to sim/chip). A crossbar of an operator stores one row part and one
// block of columns of the operator's matrix, or several groups side by side.
#pragma once

#include <optional>

#include "model/chip/machine.h"
#include "model/chip/program/program.h"

namespace nestor::sim::chip {

struct Packing {
  Int slices = 1;  ///< slices of a weight
  Int slice_bits = 1;
  Int in_a_row = 0;       ///< weights per crossbar row if their slices are adjacent
  bool apart = false;     ///< true if slices are in separate crossbars
  bool packed = false;    ///< true if groups are side by side
  Int group_columns = 1;  ///< crossbars for one group and row part
  Int rows = 1;           ///< matrix rows of a part, or its groups if packed
  Int groups = 1, matrix_rows = 1, matrix_columns = 1;

  /// Calls use(group, matrix row, crossbar row) for every matrix row that the crossbar of this part and
  /// column stores.
  template <typename Use>
  void each_row(Int part, Int column, Use use) const {
    if (packed) {
      for (Int i = 0; i < rows && part * rows + i < groups; ++i) {
        for (Int k = 0; k < matrix_rows; ++k) use(part * rows + i, k, i * matrix_rows + k);
      }
      return;
    }
    for (Int r = 0; r < rows && part * rows + r < matrix_rows; ++r)
      use(column / group_columns, part * rows + r, r);
  }

  /// Calls use(group, matrix column, slice, crossbar column) for every matrix column and slice that the
  /// crossbar of this part and column stores.
  template <typename Use>
  void each_column(Int part, Int column, Int cell_columns, Use use) const {
    if (packed) {
      for (Int i = 0; i < rows && part * rows + i < groups; ++i) {
        for (Int n = 0; n < matrix_columns; ++n) {
          for (Int b = 0; b < slices; ++b) use(part * rows + i, n, b, (i * matrix_columns + n) * slices + b);
        }
      }
      return;
    }
    const Int group = column / group_columns;
    const Int block = column % group_columns;
    if (apart) {
      const Int blocks = ceil_divide(matrix_columns, cell_columns);
      const Int first = block % blocks * cell_columns;
      for (Int j = 0; j < cell_columns && first + j < matrix_columns; ++j)
        use(group, first + j, block / blocks, j);
      return;
    }
    for (Int j = 0; j < in_a_row && block * in_a_row + j < matrix_columns; ++j) {
      for (Int b = 0; b < slices; ++b) use(group, block * in_a_row + j, b, j * slices + b);
    }
  }
};

/// Returns the placement, or nothing if the matrix does not fit the operator's number of parts and columns on
/// the machine's crossbars.
std::optional<Packing> packing_of(const nestor::chip::ChipMachine& machine,
                                  const chip_program::ProgramOperator& op);

}  // namespace nestor::sim::chip
