// Functions of the spatial factors: the temporal bounds, the extents below a memory, the lanes above it, and
// reductions across axes.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor {

/// Returns each bound divided by the factors on all axes.
constexpr Extents temporal_bounds(const Extents& bounds, const SpatialFactors& spatial) {
  Extents left = bounds;
  for (const Extents& axis : spatial)
    for (std::size_t d = 0; d < dim_count; ++d) left[d] /= axis[d];
  return left;
}

/// Returns `inner` times the factors on the axes below a memory: the extents of the inner loops and these
/// axes together.
Extents extents_below(const Hierarchy& machine, const Memory& memory, const SpatialFactors& spatial,
                      const Extents& inner = unit_extents);

/// Returns the number of used instances of a memory: the product of all factors on the axes above it.
Int lanes_above(const Memory& memory, const SpatialFactors& spatial);

/// True if several lanes of an axis contribute to the same outputs, which are then summed above the axis.
bool carries_reduction(const LayerShape& layer, const Extents& axis);

/// True if several instances of a memory contribute to the same outputs, which are then summed above the
/// memory.
bool is_reduced_above(const LayerShape& layer, const Memory& memory, const SpatialFactors& spatial);

}  // namespace nestor
