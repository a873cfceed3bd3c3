// Fills in shape, type and small values of every tensor of a graph, node by node: by the importer's own rule,
// else by libonnx's shape inference of that operator, else by what the file states. No source is trusted to
// know everything; what remains unknown only matters if a layer needs it.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

MaybeError infer_shapes(Graph& graph);

}  // namespace nestor::io::onnx_import
