// The mapping space of HBM-PIM: every way to cut a kernel over channels, evaluated one by one, as they are
// few.
#pragma once

#include "model/cnm/search/map_space.h"

namespace nestor::cnm {

/// All that are legal, best first, ties in the documented order; none if no library kernel computes this.
std::vector<MemberCost> channel_maps(const Kernel& kernel, const System& system);

}  // namespace nestor::cnm
