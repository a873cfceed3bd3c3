// Groups of layers with equal shapes, so that each shape is solved only once. unique_shapes() groups a
// network's layers by shape and adds up their repeats. Callers map the layer `shapes[i].first` and multiply
// its cost by `shapes[i].repeat`.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/workload/network.h"

namespace nestor {

struct UniqueShape {
  std::size_t first = 0;  ///< index of the first layer with this shape
  Int repeat = 0;         ///< number of runs in the network: the sum of its layers' repeats
  friend bool operator==(const UniqueShape&, const UniqueShape&) = default;
};

struct UniqueShapes {
  std::vector<UniqueShape> shapes;          ///< in the order of their first layers
  std::vector<std::size_t> shape_of_layer;  ///< per layer, an index into `shapes`
};

/// Groups layers by equal LayerShape (bounds, strides, dilations, bits and relevance). The number of groups
/// of a convolution does not matter, since its shape is that of one group. Returns nothing if a sum of
/// repeats overflows Int.
std::optional<UniqueShapes> unique_shapes(std::span<const Layer> layers);

}  // namespace nestor
