// Bounds a little larger than a layer's own: 197 is prime and spreads badly over any axis, 200 does not. The
// padded layer computes the extra elements too, so its cost is counted on the padded nest, and a padded
// mapping is chosen only if it is cheaper all the same.
//
// Candidates of one dimension: its bound, and every larger one within the limit whose largest prime factor is
// smaller than those of all candidates before it. All combinations over the dimensions are searched, so the
// best over them is proved; if there are more than `most_combinations`, the most padding is left out first.
#pragma once

#include <vector>

#include "model/loopnest/dims.h"

namespace nestor::mapper {

inline constexpr std::size_t most_combinations = 64;

/// The bounds themselves first, then by how much larger the nest becomes.
std::vector<Extents> padded_bounds(const Extents& bounds, double share);

}  // namespace nestor::mapper
