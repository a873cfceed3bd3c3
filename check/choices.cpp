#include "check/choices.h"

#include <algorithm>

#include "check/nest.h"

namespace nestor::check {
namespace {

constexpr std::size_t most_choices = 3'000'000;

}  // namespace

bool is_symmetric(const Layer& layer, const Machine& machine) {
  return layer.bounds[P] == layer.bounds[Q] && layer.bounds[R] == layer.bounds[S] &&
         layer.stride[0] == layer.stride[1] && layer.dilation[0] == layer.dilation[1] &&
         std::all_of(machine.axes.begin(), machine.axes.end(), [](const Axis& axis) {
           return axis.dims[P] == axis.dims[Q] && axis.dims[R] == axis.dims[S];
         });
}

Extents mirror(Extents extents) {
  std::swap(extents[P], extents[Q]);
  std::swap(extents[R], extents[S]);
  return extents;
}
Spatial mirror(Spatial spatial) {
  for (Extents& factors : spatial) factors = mirror(factors);
  return spatial;
}
Spatial standing_for(const Spatial& spatial, bool symmetric) {
  return symmetric ? std::min(spatial, mirror(spatial)) : spatial;
}

std::vector<Spatial> spatial_choices(const Layer& layer, const Machine& machine) {
  std::vector<Spatial> all;
  Spatial chosen(machine.axes.size());
  for (Extents& factors : chosen) factors.fill(1);
  Extents left = layer.bounds;
  const auto choose = [&](const auto& self, std::size_t axis, std::size_t dim, Int lanes) -> void {
    if (axis == machine.axes.size()) {
      all.push_back(chosen);
      if (all.size() > most_choices) throw Unreadable("a layer has too many spatial choices");
      return;
    }
    if (dim == dim_count) {
      self(self, axis + 1, 0, 1);
      return;
    }
    for (const Int factor : divisors_of(left[dim])) {
      if (factor > machine.axes[axis].size / lanes) break;
      chosen[axis][dim] = factor;
      left[dim] /= factor;
      self(self, axis, dim + 1, lanes * factor);
      left[dim] *= factor;
      if (!machine.axes[axis].dims[dim]) break;
    }
    chosen[axis][dim] = 1;
  };
  choose(choose, 0, 0, 1);
  if (is_symmetric(layer, machine))
    std::erase_if(all, [](const Spatial& spatial) { return mirror(spatial) < spatial; });
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace nestor::check
