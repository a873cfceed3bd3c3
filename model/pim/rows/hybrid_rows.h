// The row activations of the hybrid row model (docs/models/pim.md, section 6): closed formulas that tell a
// stream from thrashing and count tiles, with a penalty for input windows across block borders. Kept to
// measure their error; the optimiser counts exactly (row_counter.h).
#pragma once

#include "model/pim/boundaries.h"

namespace nestor::pim {

Int hybrid_rows(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                Operand operand, const Boundary& boundary);

/// What the formulas read of a walk; `buffered_reuse`: iterations of repeating loops in the next memory's
/// block.
Int hybrid_rows(const LayerShape& layer, const RowWalk& walk, const Layout& layout, Int buffered_reuse);

}  // namespace nestor::pim
