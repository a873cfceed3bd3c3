// Row activations with a single bank, without composing summaries (docs/models/pim.md, section 5.2). An
// access is an activation where it and the one before lie in different rows. A step of one loop moves the
// address by the same amount always, so what it crosses depends only on where in its row it begins: those are
// places in arithmetic progressions, one per loop outside, which are counted, not visited.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

/// Activations of levels without blocks; none where counting the places would take long.
std::optional<Int> one_bank_activations(const RowLevels& levels, SumCounter& counter);

}  // namespace nestor::pim
