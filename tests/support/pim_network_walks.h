// Random walks over DRAM rows of layers of real networks, for tests and benchmarks of row counts.
#pragma once

#include <vector>

#include "base/random.h"
#include "model/loopnest/layer.h"
#include "model/pim/mapping.h"
#include "model/pim/rows/row_walk.h"

namespace nestor::testing {

struct NetworkWalk {
  LayerShape layer;
  pim::RowWalk walk;
  pim::Layout layout;
  Int accesses = 0;
};

/// The layers of ResNet-50, VGG-16, MobileNetV2 and BERT-base, as often as they occur.
std::vector<LayerShape> network_layers();

/// A tile of one operand, of random factors of the layer, the other factors as loops around it in random
/// order, under a random layout in rows of 1 KiB. The number of accesses follows from these.
NetworkWalk random_network_walk(Random& random, const LayerShape& layer, Int banks);

}  // namespace nestor::testing
