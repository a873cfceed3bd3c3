// Flexible factors (docs/models/cim.md, section 12.2): prime factors of a bound are merged, two at a time, as
// long as that costs little flexibility, to shrink the search. Flexibility is a weighted count of the
// different ways to partition the factors into one, two or three products.
#pragma once

#include "model/loopnest/factor_set.h"

namespace nestor {

struct FlexibleFactors {
  int least_factors = 4;                      ///< a set this small is left alone
  double most_loss = 0.2;                     ///< of the full set's flexibility, per merge
  std::array<double, 3> weights = {3, 2, 1};  ///< for one, two and three parts; decreasing
};

/// Factors whose product is `bound`. Ties go to the pair of smallest factors.
FactorSet flexible_factors(Int bound, const FlexibleFactors& options);

}  // namespace nestor
