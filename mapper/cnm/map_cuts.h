// Pairs of maps for extents with few divisors: one dim is cut into a full part, an equal share for each of u
// units (floor(extent / u) of every unit), and the remainder. The maps run one after the other.
//
// Proof: each cut costs the best maps of both parts, plus the host's additions between them. The points of a
// part on all units give a lower bound. Cuts are therefore searched in the order of the sum of both bounds
// until it reaches the best known mapping. A part is searched below the cost that the bound of the other part
// leaves for it; if nothing is found there, the cut is closed.
#pragma once

#include "mapper/cnm/one_map.h"

namespace nestor::cnm {

/// Searches pairs of maps. `result` holds the best single map of the kernel and becomes that of both spaces.
/// Nothing is searched unless two maps might take less than 1 / least_gain of its time.
void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result);

/// Searches pairs of maps on HBM-PIM, where both maps tile their part exactly and run general streams.
void map_channel_cut(const Kernel& kernel, const System& system, const Library& library, StopSource& stop,
                     MapResult& result);

}  // namespace nestor::cnm
