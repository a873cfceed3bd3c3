// Shape inference by libonnx, for operators without a rule in the importer. libonnx throws exceptions, knows
// operators only up to the opset of its build, and trusts its input. Therefore it is called for one operator
// at a time, and only for operators on a reviewed list. Its failures are ignored.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sets the types and shapes that libonnx infers for the outputs of `node`; all others remain unknown.
void infer_with_libonnx(Graph& graph, const Node& node);

}  // namespace nestor::io::onnx_import
