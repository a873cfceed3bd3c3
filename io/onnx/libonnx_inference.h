// Shape inference by libonnx, for operators without a rule in the importer. libonnx throws, supports
// operators only up to the opset of its build, and trusts its input. Therefore it gets one operator at a
// time, only those of a reviewed list, and may fail without consequence.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sets what libonnx infers about the outputs of `node`; leaves the rest unknown.
void infer_with_libonnx(Graph& graph, const Node& node);

}  // namespace nestor::io::onnx_import
