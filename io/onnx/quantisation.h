// Bit widths of a layer from the types of its tensors. Quantised operators say them directly; in a QDQ graph
// the float operator stands between DequantizeLinear and QuantizeLinear, whose integer side counts. What is
// float on every side takes the default widths.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Widths for an operator that multiplies `input` with `weight` into `output` (no_tensor: an output that has
/// no tensor of its own).
BitWidths bits_of(const Graph& graph, TensorId input, TensorId weight, TensorId output);

}  // namespace nestor::io::onnx_import
