// Flexible factors (docs/models/cim.md, section 12.2). To shrink the search, prime factors of a bound are
// merged in pairs as long as this costs little flexibility. Flexibility is a weighted count of the different
// ways to partition the factors into one, two or three products.
#pragma once

#include "model/loopnest/factor_set.h"

namespace nestor {

struct FlexibleFactors {
  int least_factors = 4;                      ///< no merging in sets of at most this many factors
  double most_loss = 0.2;                     ///< largest loss per merge, as a share of the full set's
                                              ///< flexibility
  std::array<double, 3> weights = {3, 2, 1};  ///< weights of one, two and three products; decreasing
};

/// Returns factors whose product is `bound`. Among merges of equal loss, the pair that is first in
/// lexicographic order is merged.
FactorSet flexible_factors(Int bound, const FlexibleFactors& options);

}  // namespace nestor
