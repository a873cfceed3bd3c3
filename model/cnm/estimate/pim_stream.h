// The command stream of a general map on HBM-PIM (docs/models/cnm.md, "General streams"), as small as its
// loops allow: a step's groups depend only on the loop that moved on to it, so each such kind of step is
// written once.
#pragma once

#include "model/cnm/estimate/pim_map.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

/// `map` has no fault.
Stream pim_stream(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system);

}  // namespace nestor::cnm
