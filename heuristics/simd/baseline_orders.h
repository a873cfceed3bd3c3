// Orders of the schedulers MASIM is compared with (docs/scheduling.md, section 6.2). `first` breaks ties by
// index, as the originals do; else they are broken at random, as the paper does to improve on them. A
// sentence each is all that the paper says of three of them; where it leaves a choice, these take what comes
// closest to all twelve published counts (section 6.4 of that page).
#pragma once

#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// XMG-GPPIC: the ready gate that removes the most fanins from memory (inputs count: they are not read
/// again), of equals the one whose last reader lies at the lowest level, so that its own result can go soon.
/// Without the second rule the order would be far better than published (cavlc 69 copies, not 421).
Order gppic_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// SIMPLER: depth first, from the output and into the fanin with the larger Strahler number.
Order simpler_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// STAR: the ready gate that reads the value that the fewest further gates keep in memory. The paper says
/// this of the gate's own result, but read so the order opens too many cones (sqrt 5624 copies, not 4701).
Order star_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// DATE24: the netlist, as its file lists it, is divided into small parts, and each part is ordered exactly
/// for the fewest values alive at a time (here by dynamic programming over its subsets). No ties: the paper
/// runs it once. Dividing a depth-first order by cuts instead misses by far (log2 15,100 copies, not 7043).
Order date24_order(const ScheduleProblem& problem, const Stop& stop = {});

}  // namespace nestor::simd
