// Cheap lower bound on the row activations of a walk. It is based on the least number of rows that a visit's
// tile, or a plane or a line of the tile, touches at any position. Each pass through such a part opens all of
// its rows except one per bank (docs/models/pim.md, section 5.4). The bound avoids exact counts of layouts
// that cannot be the best.
#pragma once

#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

/// Equation (5.1): returns the number of passes of a walk through a tile: one per visit, or two if partial
/// sums return.
Int passes(const RowWalk& walk);

/// Equation (5.1) for one pass: returns a lower bound on the activations of the pass under a layout, for any
/// earlier accesses.
Int pass_floor(const RowWalk& walk, const Layout& layout);

/// Returns the least bound over the allowed layouts.
Int pass_floor(const RowWalk& walk, LayoutSet allowed);

/// Equation (5.2) for one iteration: returns a lower bound on the activations of any walk that reads all of a
/// box, in any order and under any allowed layout. The box has walk.tile[c] places along coordinate c at
/// distance steps[c].
Int sweep_floor(const RowWalk& walk, LayoutSet allowed, const Coordinates& steps);

}  // namespace nestor::pim
