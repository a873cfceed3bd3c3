#include "model/loopnest/spatial_factors.h"

namespace nestor {

Extents extents_below(const Hierarchy& machine, const Memory& memory, const SpatialFactors& spatial,
                      const Extents& inner) {
  Extents extents = inner;
  for (std::size_t a = memory.axes_above; a < machine.axes.size(); ++a) extents = times(extents, spatial[a]);
  return extents;
}

Int lanes_above(const Memory& memory, const SpatialFactors& spatial) {
  Int lanes = 1;
  for (std::size_t a = 0; a < memory.axes_above; ++a) lanes *= product_of(spatial[a]);
  return lanes;
}

bool carries_reduction(const LayerShape& layer, const Extents& axis) {
  for (const Dim dim : all_dims)
    if (layer.is_reduction(dim) && axis[index_of(dim)] > 1) return true;
  return false;
}

bool is_reduced_above(const LayerShape& layer, const Memory& memory, const SpatialFactors& spatial) {
  for (std::size_t a = 0; a < memory.axes_above; ++a)
    if (carries_reduction(layer, spatial[a])) return true;
  return false;
}

}  // namespace nestor
