// Inference of a layer's bit widths from the types of its tensors. Quantised operators specify them directly.
// In a QDQ graph, the float operator is between DequantizeLinear and QuantizeLinear, and the types on their
// integer sides determine the widths. A layer with float types on every side has the default widths.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Returns the widths of an operator that multiplies `input` and `weight` into `output` (no_tensor if the
/// output has no tensor).
BitWidths bits_of(const Graph& graph, TensorId input, TensorId weight, TensorId output);

}  // namespace nestor::io::onnx_import
