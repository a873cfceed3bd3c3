// Row activations with a single bank, without composed summaries (docs/models/pim.md, section 5.2). An access
// causes an activation if it is in a different row from the previous access. A step of a loop always moves
// the address by the same amount, so whether it leaves its row depends only on its start in the row. These
// starts are in arithmetic progressions, one per outside loop, and are counted instead of visited.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

/// Returns the activations of levels without blocks, or nothing if counting would take long.
std::optional<Int> one_bank_activations(const RowLevels& levels, SumCounter& counter);

}  // namespace nestor::pim
