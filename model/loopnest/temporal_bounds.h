// What spatial factors leave for temporal loops.
#pragma once

#include "model/loopnest/mapping.h"

namespace nestor {

/// Per dimension, its bound over the factors on all axes.
constexpr Extents temporal_bounds(const Extents& bounds, const std::array<Extents, max_axes>& spatial) {
  Extents left = bounds;
  for (const Extents& axis : spatial)
    for (std::size_t d = 0; d < dim_count; ++d) left[d] /= axis[d];
  return left;
}

}  // namespace nestor
