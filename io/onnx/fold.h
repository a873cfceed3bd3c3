// Constant folding of small tensors at import time. Exporters compute shapes in the graph itself (Shape,
// Gather, Mul, Concat, Reshape). Such models can only be mapped if the values of these nodes are known.
#pragma once

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

/// Folds an elementwise operator that shape computations use: sets the value of output 0 if all inputs have
/// values. The output's shape must already be set.
void fold_elementwise(NodeView& node);

/// Sets output 0 to the values of input 0, converted to another type.
void fold_cast(NodeView& node, std::int32_t type);

/// Sets output 0 to the values of input 0, in the same order.
void fold_copy(NodeView& node);

/// Folds ReduceSum, ReduceProd, ReduceMax or ReduceMin of a scalar or a list of integers.
void fold_reduce(NodeView& node);

}  // namespace nestor::io::onnx_import
