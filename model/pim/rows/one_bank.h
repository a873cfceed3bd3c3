// Row activations with a single bank, without composed summaries (docs/models/pim.md, section 5.2). An access
// causes an activation if it is in another row than the access before. A step of a loop always moves the
// address by the same amount, so it leaves its row depending only on its start in the row. These starts are
// in arithmetic progressions, one per outside loop, and are counted instead of visited.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

/// Returns the activations of levels without blocks, or nothing if counting would take long.
std::optional<Int> one_bank_activations(const RowLevels& levels, SumCounter& counter);

}  // namespace nestor::pim
