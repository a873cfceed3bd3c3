// The claim that no mapping exists, held against the smallest tiles there are. Internal to what checks
// results of loop-nest spaces.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::io {

/// Whether a memory next to what computes has no room for one element of each operand: nothing can be
/// mapped then.
bool is_short_of_room(const LayerShape& shape, const Hierarchy& machine);

/// Every loop at the home of its operands, one element everywhere else, in canonical form.
Mapping smallest_tiles(const LayerShape& shape, const Hierarchy& machine);

}  // namespace nestor::io
