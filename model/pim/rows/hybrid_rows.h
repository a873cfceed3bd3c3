// Row activations of the hybrid row model (docs/models/pim.md, section 6). Closed formulas distinguish
// streaming from thrashing and count tiles, with a penalty for input windows that cross block borders. They
// apply under `row_model: hybrid`; otherwise the count is exact (row_counter.h).
#pragma once

#include "model/pim/boundaries.h"
#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

Int hybrid_rows(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                Operand operand, const Boundary& boundary);

/// Returns the number of iterations of the repeating loops in the block of the next used memory inside DRAM,
/// or 1 if this is the innermost memory.
Int buffered_reuse(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                   Operand operand, const Boundary& boundary);

/// Evaluates the formulas for a walk. `buffered_reuse` is the value that buffered_reuse() returns.
Int hybrid_rows(const LayerShape& layer, const RowWalk& walk, const Layout& layout, Int buffered_reuse);

/// Returns the layout with the fewest activations by these formulas. Ties are broken as in best_layout().
ChosenLayout hybrid_layout(const LayerShape& layer, const RowWalk& walk, LayoutSet allowed,
                           Int buffered_reuse);

/// Share (safe / period) of the positions at which a tile crosses no block border, if the tile moves by
/// `step`; eq. (6.4).
struct SafeShare {
  Int safe = 1;
  Int period = 1;
};
SafeShare safe_share(Int step, Int tile, Int block);

}  // namespace nestor::pim
