// Pairs of maps for extents with few divisors. One dim is cut into a full part, which gives each of u units
// an equal share of floor(extent / u), and a remainder. The two maps run one after the other.
//
// Proof: a cut costs at least as much as the best maps of its two parts, plus the time in which the host adds
// their partial results. Spreading the points of a part over all units gives a lower bound on the part, and
// thus a bound on the cut. After a few promising cuts, the cuts are searched in the order of their bounds,
// until a bound reaches the cost of the best known mapping. A part is searched only for maps that cost less
// than this cost minus the bound on the rest of the cut. If there is no such map, the cut is finished.
#pragma once

#include "mapper/cnm/one_map.h"

namespace nestor::cnm {

/// Searches pairs of maps. `result` is initially the best single map of the kernel, and finally the best of
/// both spaces. The search runs only if two maps might take at most 1 / least_gain of the time of the single
/// map.
void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result);

/// Searches pairs of maps on HBM-PIM, where both maps tile their parts exactly and run general streams.
void map_channel_cut(const Kernel& kernel, const System& system, const Library& library, StopSource& stop,
                     MapResult& result);

}  // namespace nestor::cnm
