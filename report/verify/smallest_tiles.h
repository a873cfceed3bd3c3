// Smallest possible tiles of a layer. They refute the claim that no mapping exists if they are legal.
// Internal to the checks of loop-nest results.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::io {

/// True if a memory next to the compute unit is too small for one element of each operand that it serves. In
/// this case, nothing can be mapped.
bool is_short_of_room(const LayerShape& shape, const Hierarchy& machine);

/// Returns the mapping with all loops at the homes of the operands and tiles of one element in all other
/// memories, in canonical form.
Mapping smallest_tiles(const LayerShape& shape, const Hierarchy& machine);

}  // namespace nestor::io
