// Row activations with a single bank, without composed summaries (docs/models/pim.md, section 5.2). An access
// causes an activation if its row differs from that of the previous access. Every step of a loop moves the
// address by the same distance, so whether a step leaves its row depends only on where in the row it starts.
// These starts are the sums of arithmetic progressions, one per outside loop, and are counted without being
// visited.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

/// Returns the activations of levels without blocks, or nothing if the count would take too long.
std::optional<Int> one_bank_activations(const RowLevels& levels, SumCounter& counter);

}  // namespace nestor::pim
