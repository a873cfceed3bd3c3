// Which layout costs an operand the fewest row activations (docs/models/pim.md, section 5.3). Layouts of
// different operands have nothing to do with each other, so each operand has its own best one for every walk.
#pragma once

#include <limits>

#include "model/pim/rows/row_counter.h"

namespace nestor::pim {

struct ChosenLayout {
  Layout layout;
  Int activations = 0;
};

/// The layout of fewest activations among those allowed; of equal ones the first in this order: sequential,
/// hwc, whole planes, blocks by ascending height and width. An operand that has none of the kinds allowed is
/// sequential. The search ends early with a layout of at most `enough` activations. Where every layout has
/// more than `too_many`, that is the answer.
ChosenLayout best_layout(RowCounter& counter, const RowWalk& walk, LayoutSet allowed, Int enough,
                         Int too_many = std::numeric_limits<Int>::max());

}  // namespace nestor::pim
