// Check for even blocks (docs/models/pim.md, section 2). Blocks are even if they result from one level per
// loop, common to all operands, and a set of stored memories per operand.
#pragma once

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

/// True if the blocks are even. The mapping must be canonical.
bool is_even(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping);

}  // namespace nestor::pim
