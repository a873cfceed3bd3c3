#include "io/onnx/window.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::io::onnx_import {
namespace {

constexpr Int largest_step = Int{1} << 31;  // keeps every product below 2^62

// Returns an attribute with one value per spatial axis, or `fallback` for each.
std::vector<Int> per_axis(NodeView& node, std::string_view name, std::size_t count, Int fallback, Int least) {
  auto values = node.integers(name).value_or(std::vector<Int>(count, fallback));
  if (values.size() != count) {
    node.fail(fmt::format("attribute '{}' has {} values; expected {}", name, values.size(), count));
    return std::vector<Int>(count, fallback);
  }
  for (Int& value : values) {
    if (value >= least && value <= largest_step) continue;
    node.fail(
        fmt::format("attribute '{}' is {}; expected {} to {}", name, list_text(values), least, largest_step));
    return std::vector<Int>(count, fallback);
  }
  return values;
}

struct Axis {
  Int input, kernel, stride, dilation, pad_begin, pad_end;
};

Int output_extent(NodeView& node, const Axis& axis, const std::string& auto_pad, bool round_up) {
  if (axis.input == unknown_dim) return unknown_dim;
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") return ceil_divide(axis.input, axis.stride);
  const Int reach = axis.dilation * (axis.kernel - 1) + 1;
  const Int padded = axis.input + axis.pad_begin + axis.pad_end;
  if (padded < reach) {
    node.fail(fmt::format("its kernel reaches over {} elements, but the padded input has {}", reach, padded));
    return unknown_dim;
  }
  if (!round_up) return (padded - reach) / axis.stride + 1;
  Int extent = ceil_divide(padded - reach, axis.stride) + 1;
  // A last window that would start in the padding after the input does not exist.
  if ((extent - 1) * axis.stride >= axis.input + axis.pad_begin) --extent;
  return extent;
}

}  // namespace

std::optional<Window> sliding_window(NodeView& node, const Shape& input, std::vector<Int> kernel) {
  const std::size_t count = kernel.size();
  if (input.size() != count + 2) {
    node.fail(fmt::format("its input has the shape {}; a kernel over {} spatial axes expects {} dimensions",
                          to_string(input), count, count + 2));
    return std::nullopt;
  }
  for (const Int extent : kernel) {
    if (extent >= 1 && extent <= largest_step) continue;
    node.fail(
        fmt::format("its kernel is {}; expected extents from 1 to {}", list_text(kernel), largest_step));
    return std::nullopt;
  }
  Window window;
  window.stride = per_axis(node, "strides", count, 1, 1);
  window.dilation = per_axis(node, "dilations", count, 1, 1);
  const std::string auto_pad = node.text("auto_pad", "NOTSET");
  auto pads = std::vector<Int>(2 * count, 0);
  if (auto_pad == "NOTSET" || auto_pad.empty()) {
    pads = per_axis(node, "pads", 2 * count, 0, 0);
  } else if (auto_pad != "VALID" && auto_pad != "SAME_UPPER" && auto_pad != "SAME_LOWER") {
    node.fail(fmt::format("attribute 'auto_pad' is '{}'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER",
                          auto_pad.substr(0, 32)));
  }
  const bool round_up = node.integer("ceil_mode", 0) != 0;
  for (std::size_t i = 0; i < count && !node.failed(); ++i) {
    window.output.push_back(output_extent(
        node, {input[i + 2], kernel[i], window.stride[i], window.dilation[i], pads[i], pads[count + i]},
        auto_pad, round_up));
  }
  if (node.failed()) return std::nullopt;
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER")
    for (std::size_t i = 0; i < count; ++i) {
      if (input[i + 2] == unknown_dim || input[i + 2] > largest_step) continue;
      const Int reach = (window.output[i] - 1) * window.stride[i] + window.dilation[i] * (kernel[i] - 1) + 1;
      const Int all = std::max<Int>(reach - input[i + 2], 0);
      pads[i] = auto_pad == "SAME_UPPER" ? all / 2 : ceil_divide(all, 2);
      pads[count + i] = all - pads[i];
    }
  window.pads = std::move(pads);
  window.kernel = std::move(kernel);
  return window;
}

}  // namespace nestor::io::onnx_import
