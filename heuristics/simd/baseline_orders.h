// Orders of the schedulers with which MASIM is compared (docs/scheduling.md, section 6.2). `first` breaks
// ties by index, as the originals do; otherwise ties are random, as in the paper's attempts to improve on
// these schedulers. The paper describes three of the schedulers in only one sentence each. Where its text is
// ambiguous, these orders use the variant closest to all twelve published counts (section 6.4 of that page).
#pragma once

#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// XMG-GPPIC: chooses the ready gate that removes the most fanins from memory, including inputs that are not
/// read again. Among equal gates, chooses the one whose last reader is at the lowest level, so that its
/// result can be removed soon. Without the second rule, the order would be far better than published (cavlc
/// 69 copies, not 421).
Order gppic_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// SIMPLER: depth first from each output, descending into the fanin with the larger Strahler number.
Order simpler_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// STAR: chooses the ready gate that reads the value that can be removed after the fewest further gates. The
/// paper states this rule for the gate's own result, but in that form the order opens too many cones (sqrt
/// 5624 copies, not 4701).
Order star_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop = {});

/// DATE24: the netlist, in the order of its file, is divided into small parts. Each part is ordered optimally
/// for the fewest live values at any time (here by dynamic programming over subsets of its gates). It breaks
/// no ties at random, because the paper runs it only once. Dividing a depth-first order by cuts instead gives
/// far worse results (log2 15,100 copies, not 7043).
Order date24_order(const ScheduleProblem& problem, const Stop& stop = {});

}  // namespace nestor::simd
