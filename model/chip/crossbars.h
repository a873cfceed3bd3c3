// Layout of a matrix on crossbars (docs/models/chip.md, section 3). A weight is cut into slices of as many
// bits as a cell stores. Matrix rows are on crossbar rows, and matrix columns on crossbar columns. The slices
// are in adjacent columns (XBC) or in separate crossbars (XB), whichever needs fewer crossbars. A copy of the
// matrix has v row parts of xc crossbars each.
#pragma once

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

struct CrossbarLayout {
  Int slices_per_weight = 1;         ///< nb = ceil(bits W / cell_bits)
  Int columns_per_row = 0;           ///< kx = C div nb: number of weights in a crossbar row
  bool packed = false;               ///< true if groups share a crossbar
  Int groups_packed = 0;             ///< gp: number of groups in a crossbar
  bool slices_in_crossbars = false;  ///< XB: true if slices are in separate crossbars
  Int columns = 1;                   ///< xc: number of crossbars of one row part
  Int least_parts = 1;               ///< v0: least number of row parts
  Int most_parts = 1;                ///< largest number of row parts: K, or G if packed
  Int matrix_rows = 1;               ///< K
  Int groups = 1;                    ///< G

  /// Returns m(v) = v * xc, the number of crossbars of a copy; eq. (3.1).
  Int crossbars(Int parts) const { return parts * columns; }
  /// Returns h(v), the largest number of rows used in a crossbar; eqs. (3.2) and (3.3).
  Int rows_used(Int parts) const {
    return packed ? ceil_divide(groups, parts) * matrix_rows : ceil_divide(matrix_rows, parts);
  }
};

CrossbarLayout layout_of(const ChipMachine& machine, const Matrix& matrix, Int weight_bits);

/// Returns X', the number of crossbars of a core that its L1 can serve for operands of these widths; eq.
/// (3.4). If it is below 1, the core can use none of its crossbars.
Int usable_crossbars(const ChipMachine& machine, const Bits& bits);

}  // namespace nestor::chip
