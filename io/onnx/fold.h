// Values of small tensors computed at import time. Exporters compute shapes in the graph itself (Shape,
// Gather, Mul, Concat, Reshape); following those values is what makes such models map.
#pragma once

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

/// Element-by-element operators: sets the value of output 0 if all inputs have values and the operator is one
/// that shape computations use. The output's shape must have been set.
void fold_elementwise(NodeView& node);

/// Output 0 is input 0 with another type.
void fold_cast(NodeView& node, std::int32_t type);

/// Output 0 has the values of input 0, in the same order.
void fold_copy(NodeView& node);

/// ReduceSum, ReduceProd, ReduceMax, ReduceMin over all of a small tensor, or along its only dimension.
void fold_reduce(NodeView& node);

}  // namespace nestor::io::onnx_import
