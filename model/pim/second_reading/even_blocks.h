// Independent check of even blocks (docs/models/pim.md, section 2). Internal to second_reading/.
#pragma once

#include <optional>

#include "model/loopnest/second_reading/expansion.h"

namespace nestor::pim_reading {

/// Returns the outermost memory for whose level no gap between loops remains, or nothing if every memory has
/// a level and these levels result in the blocks. The nest must be legal and canonical.
std::optional<std::size_t> memory_without_level(const LayerShape& layer, const Hierarchy& machine,
                                                const Mapping& mapping, const verify::StoredSets& stored);

}  // namespace nestor::pim_reading
