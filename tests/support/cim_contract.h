// The contract of a mapping in the cim space (check/cim/contract.h), for layers and machines of tests.
#pragma once

#include "check/cim/contract.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"

namespace nestor::tests {

/// A mapping of a layer in the form in which the contract reads it from a result.
struct StatedMapping {
  StatedMapping(const LayerShape& shape, NamedArchitecture named, const Mapping& nest) {
    Layer one;
    one.name = "layer";
    one.shape = shape;
    layer = io::layer_to_json(one);
    if (named.name.empty()) named.name = "machine";
    architecture = io::architecture_to_json(named);
    mapping = io::mapping_to_json(nest, named);
  }
  check::Contract contract() const { return check::cim::contract_of(architecture, layer, mapping); }

  io::Json architecture;
  io::Json layer;
  io::Json mapping;
};

}  // namespace nestor::tests
