// Even blocks read again (docs/models/pim.md, section 2). Internal to this room.
#pragma once

#include <optional>

#include "model/loopnest/second_reading/expansion.h"

namespace nestor::pim_reading {

/// The outermost memory below which no gap between loops is left where its level could begin; nothing if
/// levels of all memories give these blocks. The nest is legal and canonical.
std::optional<std::size_t> memory_without_level(const LayerShape& layer, const Hierarchy& machine,
                                                const Mapping& mapping, const verify::StoredSets& stored);

}  // namespace nestor::pim_reading
