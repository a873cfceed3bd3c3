// Orders of the schedulers MASIM is compared with (masim section II-C), each with ties at random; `first`
// breaks them by index instead, as the originals do.
#pragma once

#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// XMG-GPPIC: the ready gate that removes the most fanins from memory.
Order gppic_order(const Problem& problem, bool first, Random& random);

/// SIMPLER: depth first, into the fanin with the larger Strahler number.
Order simpler_order(const Problem& problem, bool first, Random& random);

/// STAR: the ready gate whose result can be removed after the fewest further gates.
Order star_order(const Problem& problem, bool first, Random& random);

/// DATE24: the netlist is divided into small parts (here by minimum cuts), and each part is ordered exactly
/// for the fewest values alive at a time (here by dynamic programming over its subsets).
Order date24_order(const Problem& problem, bool first, Random& random);

}  // namespace nestor::simd
