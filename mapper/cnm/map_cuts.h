// Two maps for extents that divide badly: one dim is cut into a full part, an equal share for each of u units
// (floor(extent / u) of every unit), and the remainder. The maps run one after another.
//
// The proof: each cut costs the best map of both parts and the host's additions between them. A part takes at
// least a bound on its points on all units, so cuts are searched in the order of the sum of both bounds until
// it reaches the best mapping known. A part is searched below the cost that the bound of the other part
// leaves it; if nothing is found there, the cut is closed.
#pragma once

#include "mapper/cnm/one_map.h"

namespace nestor::cnm {

/// `result` holds the best single map of the kernel and becomes that of both spaces. Nothing is searched
/// unless two maps might take less than 1 / least_gain of its time.
void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result);

/// The same on HBM-PIM, where both maps tile their part exactly and run general streams.
void map_channel_cut(const Kernel& kernel, const System& system, const Library& library, StopSource& stop,
                     MapResult& result);

}  // namespace nestor::cnm
