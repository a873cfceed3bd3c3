// From operators to layers: the convolutions and matrix products of a graph whose shapes are known become
// loop nests, everything else is counted.
#pragma once

#include "io/onnx/graph.h"
#include "model/workload/network.h"

namespace nestor::io::onnx_import {

/// `bits`, if given, replaces what the tensor types say.
Result<Network> extract_layers(Graph& graph, const std::optional<BitWidths>& bits);

}  // namespace nestor::io::onnx_import
