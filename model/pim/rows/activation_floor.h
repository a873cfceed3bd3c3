// Cheap lower bound on the row activations of a walk: the rows that a visit's tile, or a plane or a line of
// it, touches at least, at any position. Each such run opens all of its rows except one per bank
// (docs/models/pim.md, section 5.4). The bound saves exact counts of layouts that cannot be the best.
#pragma once

#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

/// Equation (5.1): returns how often a walk goes through a tile, once per visit, or twice if partial sums
/// return.
Int passes(const RowWalk& walk);

/// Equation (5.1) for one pass: returns a lower bound on its activations under a layout, for any earlier
/// accesses.
Int pass_floor(const RowWalk& walk, const Layout& layout);

/// Returns the same for the best of the allowed layouts.
Int pass_floor(const RowWalk& walk, LayoutSet allowed);

/// Equation (5.2) for one iteration: returns a lower bound on the activations of any walk through all of a
/// box, in any order and under any allowed layout. The box has walk.tile[c] places along coordinate c at
/// distance steps[c].
Int sweep_floor(const RowWalk& walk, LayoutSet allowed, const Coordinates& steps);

}  // namespace nestor::pim
