// Inference of the shape, type and small values of every tensor of a graph, node by node. The sources are the
// importer's own rule, libonnx's shape inference of the operator, and the file's declarations, in this order.
// No source needs to be complete; a remaining gap only matters if a layer needs the value.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

MaybeError infer_shapes(Graph& graph);

}  // namespace nestor::io::onnx_import
