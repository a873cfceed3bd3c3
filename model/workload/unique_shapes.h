// Layers of one shape need solving only once. unique_shapes groups a network's layers by shape and adds up
// how often each shape runs, so that a verb maps `shapes[i].first` and multiplies the result.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/workload/network.h"

namespace nestor {

struct UniqueShape {
  std::size_t first = 0;  ///< index of the first layer that has this shape
  Int repeat = 0;         ///< how often the network runs it: the sum of its layers' repeats
  friend bool operator==(const UniqueShape&, const UniqueShape&) = default;
};

struct UniqueShapes {
  std::vector<UniqueShape> shapes;          ///< in the order of their first layers
  std::vector<std::size_t> shape_of_layer;  ///< per layer, an index into `shapes`
};

/// Groups by equal LayerShape (bounds, strides, dilations, bits and relevance); the number of groups a
/// convolution had does not matter, since its shape is that of one group. Nothing if a repeat sum does not
/// fit an Int.
std::optional<UniqueShapes> unique_shapes(std::span<const Layer> layers);

}  // namespace nestor
