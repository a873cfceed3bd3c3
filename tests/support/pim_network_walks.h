// Random access sequences over DRAM rows for layers of real networks, for tests and benchmarks of row counts.
#pragma once

#include <vector>

#include "base/random.h"
#include "model/loopnest/layer.h"
#include "model/pim/mapping.h"
#include "model/pim/rows/row_walk.h"

namespace nestor::tests {

struct NetworkWalk {
  LayerShape layer;
  pim::RowWalk walk;
  pim::Layout layout;
  Int accesses = 0;
};

/// Returns the layers of ResNet-50, VGG-16, MobileNetV2 and BERT-base, each layer as often as it occurs.
std::vector<LayerShape> network_layers();

/// Draws a tile of one operand from random factors of the layer, and a random layout in rows of 1024
/// elements. The other factors become loops around the tile, in random order.
NetworkWalk random_network_walk(Random& random, const LayerShape& layer, Int banks);

}  // namespace nestor::tests
