// A network as the mapper sees it: named layers, each a perfect loop nest with a repeat count. Layers that
// share a shape stay separate here; unique_shapes.h finds what needs solving only once.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/layer.h"

namespace nestor {

struct Layer {
  std::string name;
  LayerShape shape;  ///< of one group: bounds K and C are already divided by `groups`
  Int groups = 1;    ///< as the file stated it; the nest runs once per group
  Int repeat = 1;    ///< how often the network runs this nest in total, groups and batched products included
  bool activation_product = false;  ///< of two activations: a larger batch repeats it, as nothing is shared
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// An operator that the importer met and does not map (pooling, activation, ...).
struct UnmappedOperator {
  std::string type;
  Int count = 0;
  friend bool operator==(const UnmappedOperator&, const UnmappedOperator&) = default;
};

struct Network {
  std::string name;
  std::vector<Layer> layers;
  std::vector<UnmappedOperator> unmapped;      ///< sorted by type
  std::vector<std::string> untranslated = {};  ///< "key: why", of a file in another tool's format
};

}  // namespace nestor
