// The row activations of the hybrid row model (docs/models/pim.md, section 6): closed formulas that tell a
// stream from thrashing and count tiles, with a penalty for input windows across block borders. The
// optimiser counts by them under `row_model: hybrid`, otherwise exactly (row_counter.h).
#pragma once

#include "model/pim/boundaries.h"
#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

Int hybrid_rows(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                Operand operand, const Boundary& boundary);

/// Iterations of repeating loops in the block of the memory next to DRAM.
Int buffered_reuse(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                   Operand operand, const Boundary& boundary);

/// What the formulas read of a walk; `buffered_reuse`: iterations of repeating loops in the next memory's
/// block.
Int hybrid_rows(const LayerShape& layer, const RowWalk& walk, const Layout& layout, Int buffered_reuse);

/// The layout of fewest of these activations, as best_layout() chooses among exact ones.
ChosenLayout hybrid_layout(const LayerShape& layer, const RowWalk& walk, LayoutSet allowed,
                           Int buffered_reuse);

/// Of the positions of a tile that moves by `step` along blocks, those that cross no border (6.4).
struct SafeShare {
  Int safe = 1;
  Int period = 1;
};
SafeShare safe_share(Int step, Int tile, Int block);

}  // namespace nestor::pim
