// Choice of the layout with the fewest row activations for an operand (docs/models/pim.md, section 5.3).
// Layouts of different operands are independent, so each operand has its own best layout for every walk.
#pragma once

#include <limits>

#include "model/pim/rows/row_counter.h"

namespace nestor::pim {

struct ChosenLayout {
  Layout layout;
  Int activations = 0;
};

/// Returns the allowed layout with the fewest activations. Ties go to the first in this order: sequential,
/// hwc, whole planes, blocks by ascending height and width. An operand without any allowed kind is
/// sequential. The search stops at a layout with at most `enough` activations. If every layout has more than
/// `too_many` activations, the returned number is `too_many`.
ChosenLayout best_layout(RowCounter& counter, const RowWalk& walk, LayoutSet allowed, Int enough,
                         Int too_many = std::numeric_limits<Int>::max());

}  // namespace nestor::pim
