// The sliding window of a convolution or pooling: kernel, strides, dilations and the output extents that
// pads and auto_pad leave. One place knows this arithmetic; shape rules and layer extraction both use it.
#pragma once

#include <optional>
#include <vector>

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

struct Window {
  std::vector<Int> kernel, stride, dilation;  ///< one per spatial axis
  std::vector<Int> pads;                      ///< begins, then ends
  std::vector<Int> output;                    ///< extents, unknown_dim where the input's is unknown
};

/// The window of `node` over an input [N, C, ...]; complains and returns nothing if it makes no sense.
std::optional<Window> sliding_window(NodeView& node, const Shape& input, std::vector<Int> kernel);

}  // namespace nestor::io::onnx_import
