// Layout of a matrix on crossbars (docs/models/chip.md, section 3): weights in slices of a cell's bits, rows
// of the matrix on crossbar rows, columns on crossbar columns, slices beside them (XBC) or in crossbars of
// their own (XB), whichever needs fewer crossbars. A copy of the matrix has v row parts of xc crossbars each.
#pragma once

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

struct CrossbarLayout {
  Int slices_per_weight = 1;         ///< nb = ceil(bits W / cell_bits)
  Int columns_per_row = 0;           ///< kx = C div nb: weights in a crossbar row
  bool packed = false;               ///< groups side by side in a crossbar
  Int groups_packed = 0;             ///< gp
  bool slices_in_crossbars = false;  ///< XB: B bound to crossbars
  Int columns = 1;                   ///< xc: crossbars of one row part
  Int least_parts = 1;               ///< v0
  Int most_parts = 1;                ///< K, or G when packed
  Int matrix_rows = 1;               ///< K
  Int groups = 1;                    ///< G

  /// (3.1): m(v) = v * xc, crossbars of a copy.
  Int crossbars(Int parts) const { return parts * columns; }
  /// (3.2), (3.3): h(v), rows used in each crossbar.
  Int rows_used(Int parts) const {
    return packed ? ceil_divide(groups, parts) * matrix_rows : ceil_divide(matrix_rows, parts);
  }
};

CrossbarLayout layout_of(const ChipMachine& machine, const Matrix& matrix, Int weight_bits);

/// (3.4): X', crossbars of a core that its L1 can serve for these widths; below 1 the core can hold nothing.
Int usable_crossbars(const ChipMachine& machine, const Bits& bits);

}  // namespace nestor::chip
