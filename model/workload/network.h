// A network to map: named layers, each a perfect loop nest with a repeat count. Layers with equal shapes stay
// separate here; unique_shapes.h groups them, so that each shape is solved only once.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/layer.h"

namespace nestor {

struct Layer {
  std::string name;
  LayerShape shape;  ///< shape of one group: bounds K and C are already divided by `groups`
  Int groups = 1;    ///< number of groups in the file; the nest runs once per group
  Int repeat = 1;    ///< total runs of this nest in the network, including groups and batched products
  bool activation_product = false;  ///< true for a product of two activations: a larger batch repeats it,
                                    ///< since the products share no operand
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// A type of operator that the importer found but does not map (pooling, activation, ...).
struct UnmappedOperator {
  std::string type;
  Int count = 0;
  friend bool operator==(const UnmappedOperator&, const UnmappedOperator&) = default;
};

struct Network {
  std::string name;
  std::vector<Layer> layers;
  std::vector<UnmappedOperator> unmapped;      ///< sorted by type
  std::vector<std::string> untranslated = {};  ///< "key: reason", for a file in another tool's format
};

}  // namespace nestor
