// Kernels whose extents may grow: padding can leave tasklets better parts.
#pragma once

#include "model/cnm/kernel.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Goes through the ways to let every extent grow by up to `pad`, the last dim first, beginning with the
/// kernel's own; false after the last.
bool grow_extents(Kernel& candidate, const Kernel& kernel, Int pad);
/// Extents are padded to whole tiles on HBM-PIM, so that they need not grow.
Int padding_of(const System& system, Int pad);

}  // namespace nestor::cnm
