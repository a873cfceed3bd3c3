// Shape inference by libonnx, for operators that the importer has no rule of its own for. libonnx throws,
// knows operators up to the opset it was built with, and trusts its input; so it is asked about one operator
// at a time, only about those in a list that was looked through, and may fail without consequence.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sets what libonnx can tell about the outputs of `node`; leaves the rest unknown.
void infer_with_libonnx(Graph& graph, const Node& node);

}  // namespace nestor::io::onnx_import
