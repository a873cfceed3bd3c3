// Conversion of operators to layers: the convolutions and matrix products of a graph with known shapes become
// loop nests; all other operators are counted.
#pragma once

#include "io/onnx/graph.h"
#include "model/workload/network.h"

namespace nestor::io::onnx_import {

/// Returns the layers of a graph. `bits`, if given, replaces the widths of the tensor types.
Result<Network> extract_layers(Graph& graph, const std::optional<BitWidths>& bits);

}  // namespace nestor::io::onnx_import
