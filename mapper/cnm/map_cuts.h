// Two maps for extents that divide badly: one dim is cut into a full part, an equal share for each of u units
// (floor(extent / u) of every unit), and the remainder. The maps run one after another.
//
// Proved as follows. Each cut costs the best map of both parts and what the host adds up between them. A part
// takes no less than the slots of its points on all DPUs and a launch, so cuts are searched in the order of
// that bound until it reaches the best mapping known. A part is searched below the cost that the bound of the
// other leaves it; if nothing is found there, the cut is closed.
#pragma once

#include "mapper/cnm/one_map.h"

namespace nestor::cnm {

/// `result`: of the kernel's single maps; becomes that of both spaces. Nothing is searched unless two maps
/// might take less than 1 / least_gain of its time.
void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result);

}  // namespace nestor::cnm
