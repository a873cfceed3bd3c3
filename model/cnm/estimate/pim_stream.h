// Command stream of a general map on HBM-PIM (docs/models/cnm.md, "General streams"), as small as its loops
// allow. The groups of a step depend only on the loop that advanced to this step, so each kind of step is
// written once.
#pragma once

#include <vector>

#include "model/cnm/estimate/pim_map.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Returns the stream of a map, which must have no fault.
Stream pim_stream(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system);

/// Returns the key of everything that the stream depends on, for maps of one kernel.
std::vector<Int> pim_stream_key(const PimForm& form, const PimMap& map);

}  // namespace nestor::cnm
