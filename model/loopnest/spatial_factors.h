// Effect of the factors on the spatial axes on the memories above and below them, and what they leave for
// temporal loops.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor {

/// Per dimension, its bound over the factors on all axes.
constexpr Extents temporal_bounds(const Extents& bounds, const SpatialFactors& spatial) {
  Extents left = bounds;
  for (const Extents& axis : spatial)
    for (std::size_t d = 0; d < dim_count; ++d) left[d] /= axis[d];
  return left;
}

/// Per dimension, `inner` times the factors on the axes below a memory: what loops inside and these axes take
/// of it together.
Extents extents_below(const Hierarchy& machine, const Memory& memory, const SpatialFactors& spatial,
                      const Extents& inner = unit_extents);

/// The instances of a memory in use: the product of all factors on the axes above it.
Int lanes_above(const Memory& memory, const SpatialFactors& spatial);

/// Whether lanes of an axis share outputs, which are then summed above it.
bool carries_reduction(const LayerShape& layer, const Extents& axis);

/// Whether instances of a memory share outputs.
bool is_reduced_above(const LayerShape& layer, const Memory& memory, const SpatialFactors& spatial);

}  // namespace nestor
