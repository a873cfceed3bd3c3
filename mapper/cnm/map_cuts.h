// Pairs of maps for extents with few divisors. One dim is cut into a full part, which gives each of u units
// an equal share of floor(extent / u), and a remainder. The two maps run one after the other.
//
// Proof: each cut costs as much as the best maps of both parts, plus the host's additions between them.
// Spreading the points of a part over all units gives a lower bound on the part, and thus a bound on the cut.
// After a few promising cuts, the cuts are searched in the order of their bounds, until a bound reaches the
// cost of the best known mapping. A part is searched only below that cost minus the bound on the rest of the
// cut; if no map is found there, the cut is closed.
#pragma once

#include "mapper/cnm/one_map.h"

namespace nestor::cnm {

/// Searches pairs of maps. `result` is initially the best single map of the kernel, and finally the best of
/// both spaces. The search runs only if two maps might take less than 1 / least_gain of the time of one.
void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result);

/// Searches pairs of maps on HBM-PIM, where both maps tile their parts exactly and run general streams.
void map_channel_cut(const Kernel& kernel, const System& system, const Library& library, StopSource& stop,
                     MapResult& result);

}  // namespace nestor::cnm
