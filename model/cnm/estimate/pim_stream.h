// Command stream of a general map on HBM-PIM (docs/models/cnm.md, "General streams"). Repeated groups are
// written as loops. The groups of a step depend only on the loop that advanced to this step, so each kind of
// step is written once.
#pragma once

#include <vector>

#include "model/cnm/estimate/pim_map.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Returns the stream of a map, which must have no fault.
Stream pim_stream(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system);

/// Returns a key such that two maps of one kernel with equal keys have equal streams.
std::vector<Int> pim_stream_key(const PimForm& form, const PimMap& map);

}  // namespace nestor::cnm
