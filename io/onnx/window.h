// The sliding window of a convolution or pooling: kernel, strides, dilations and the output extents that
// result from pads and auto_pad. Shape rules and layer extraction share this computation.
#pragma once

#include <optional>
#include <vector>

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

struct Window {
  std::vector<Int> kernel, stride, dilation;  ///< one per spatial axis
  std::vector<Int> pads;                      ///< pads before each axis, then those after each axis
  std::vector<Int> output;                    ///< output extents; unknown_dim if the input extent is unknown
};

/// Returns the window of `node` over an input [N, C, ...]; fails and returns nothing if it is invalid.
std::optional<Window> sliding_window(NodeView& node, const Shape& input, std::vector<Int> kernel);

}  // namespace nestor::io::onnx_import
