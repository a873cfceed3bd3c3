// Even blocks (docs/models/pim.md, section 2): is there one level per loop, shared by all operands, and a set
// of stored memories per operand that give a mapping's blocks?
#pragma once

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

/// The mapping is canonical.
bool is_even(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping);

}  // namespace nestor::pim
