// A floor under a walk's row activations that costs next to nothing: how many rows a visit's tile, or a plane
// or a line of it, touches at least, wherever it lies. Each of these runs opens all of them but for one per
// bank (docs/models/pim.md, section 5.4). It spares exact counts of layouts that cannot be the best.
#pragma once

#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

/// Of (5.1): times that a walk goes through a tile: once per visit, twice where partial sums return.
Int passes(const RowWalk& walk);

/// (5.1) for one pass: activations that it causes at least, under a layout, whatever came before.
Int pass_floor(const RowWalk& walk, const Layout& layout);

/// The same under any of the layouts allowed.
Int pass_floor(const RowWalk& walk, LayoutSet allowed);

/// (5.2) for one iteration: activations that any walk through all of a box causes at least, in whatever order
/// and under any of the layouts allowed: walk.tile[c] places along coordinate c, steps[c] apart.
Int sweep_floor(const RowWalk& walk, LayoutSet allowed, const Coordinates& steps);

}  // namespace nestor::pim
