// Inference rules (rules.h) for operators over [N, C, spatial...]: convolutions, pooling, padding and
// resizing.
#include <fmt/format.h>

#include <cmath>

#include "io/onnx/rules.h"
#include "io/onnx/window.h"

namespace nestor::io::onnx_import {
namespace {

// Returns the shape [N, channels, spatial...] of the result, or nothing if it is unknown.
std::optional<Shape> convolved(NodeView& node, const Shape* input, const Shape* weight) {
  if (input == nullptr || weight == nullptr) return std::nullopt;
  if (weight->size() < 3 || !fully_known(*weight)) return std::nullopt;
  const auto window = sliding_window(node, *input, {weight->begin() + 2, weight->end()});
  if (!window) return std::nullopt;
  Shape output = {(*input)[0], (*weight)[0]};
  output.insert(output.end(), window->output.begin(), window->output.end());
  return output;
}

// Returns the pads before and after each dimension, from the attribute (old opsets) or the second input.
std::optional<std::vector<Int>> pads_of(NodeView& node, std::size_t rank) {
  auto pads = node.has("pads") ? node.integers("pads") : node.integers_input(1);
  if (!pads) return std::nullopt;
  const auto axes =
      node.input_count() > 3 && node.input(3) != nullptr ? node.integers_input(3) : std::nullopt;
  if (node.input(3) != nullptr && !axes) return std::nullopt;
  const std::size_t count = axes ? axes->size() : rank;
  if (pads->size() != 2 * count) {
    node.fail(fmt::format("{} pads for {} axes; expected {}", pads->size(), count, 2 * count));
    return std::nullopt;
  }
  if (!axes) return pads;
  std::vector<Int> all(2 * rank, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = node.axis((*axes)[i], rank);
    if (!axis) return std::nullopt;
    all[*axis] = (*pads)[i];
    all[rank + *axis] = (*pads)[count + i];
  }
  return all;
}

std::optional<Int> scaled(NodeView& node, Int extent, double scale) {
  if (extent == unknown_dim) return unknown_dim;
  const double result = std::floor(static_cast<double>(extent) * scale);
  if (!(scale > 0) || !(result < 1e12)) {
    node.fail(fmt::format("scale {} of an extent of {}", scale, extent));
    return std::nullopt;
  }
  return static_cast<Int>(result);
}

std::optional<std::vector<double>> scales_of(NodeView& node) {
  // Upsample-9 and Resize-10 have (X, scales); later versions have (X, roi, scales, sizes).
  const std::size_t at = node.node().op == "Resize" && node.node().opset >= 11 ? 2 : 1;
  const Constant* scales = node.constant(at);
  if (scales == nullptr || !scales->real || scales->reals.empty()) return std::nullopt;
  return scales->reals;
}

}  // namespace

void infer_convolution(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr || node.required(1) == nullptr) return;
  node.set(0, convolved(node, node.shape(0), node.shape(1)),
           node.node().op == "ConvInteger" ? std::int32_t{int32_type} : input->type);
}

void infer_quantised_convolution(NodeView& node) {
  const Tensor* zero_point = node.required(7);
  if (zero_point == nullptr) return;
  node.set(0, convolved(node, node.shape(0), node.shape(3)), zero_point->type);
}

void infer_pool(NodeView& node) {
  const Tensor* input = node.required(0);
  const auto kernel = node.integers("kernel_shape");
  if (input == nullptr || !kernel) return;
  std::optional<Shape> output;
  if (input->shape) {
    if (const auto window = sliding_window(node, *input->shape, *kernel)) {
      output = Shape{(*input->shape)[0], (*input->shape)[1]};
      output->insert(output->end(), window->output.begin(), window->output.end());
    }
  }
  node.set(1, output, int64_type);
  node.set(0, std::move(output), input->type);
}

void infer_global_pool(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  std::optional<Shape> output = input->shape;
  if (output) {
    for (std::size_t i = 2; i < output->size(); ++i) (*output)[i] = 1;
  }
  node.set(0, std::move(output), input->type);
}

void infer_pad(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  std::optional<Shape> output = input->shape;
  if (output) {
    const std::size_t rank = output->size();
    const auto pads = pads_of(node, rank);
    if (node.failed()) return;
    for (std::size_t i = 0; i < rank; ++i) {
      if ((*output)[i] == unknown_dim) continue;
      const auto first = pads ? checked_add((*output)[i], (*pads)[i]) : std::nullopt;
      const auto both = first ? checked_add(*first, (*pads)[rank + i]) : std::nullopt;
      if (pads && (!both || *both < 0)) return node.fail("its pads leave no valid extent");
      (*output)[i] = both.value_or(unknown_dim);
    }
  }
  node.set(0, std::move(output), input->type);
}

void infer_resize(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, std::nullopt, input->type);
  Shape output = *input->shape;
  std::vector<std::size_t> axes;
  if (const auto stated = node.integers("axes")) {
    for (const Int axis : *stated) {
      const auto place = node.axis(axis, output.size());
      if (!place) return;
      axes.push_back(*place);
    }
  } else {
    for (std::size_t i = 0; i < output.size(); ++i) axes.push_back(i);
  }
  const auto sizes = node.integers_input(3);
  const auto scales = scales_of(node);
  const bool stretches = node.text("keep_aspect_ratio_policy", "stretch") == "stretch";
  const auto usable = [&](std::size_t count) {
    if (count == axes.size()) return true;
    node.fail(fmt::format("{} sizes or scales for {} axes", count, axes.size()));
    return false;
  };
  for (const std::size_t axis : axes) output[axis] = unknown_dim;
  if (sizes && stretches) {
    if (!usable(sizes->size())) return;
    for (std::size_t i = 0; i < axes.size(); ++i) output[axes[i]] = (*sizes)[i];
  } else if (scales) {
    if (!usable(scales->size())) return;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto extent = scaled(node, (*input->shape)[axes[i]], (*scales)[i]);
      if (!extent) return;
      output[axes[i]] = *extent;
    }
  }
  node.set(0, std::move(output), input->type);
}

namespace {

// Infers [N, C, H, W] after blocks of `block` x `block` pixels move to (or from) the channels.
void infer_blocks(NodeView& node, bool to_depth) {
  const Tensor* input = node.required(0);
  const Int block = node.integer("blocksize", 0);
  if (input == nullptr || node.failed()) return;
  if (block < 1 || block > 4096)
    return node.fail(fmt::format("attribute 'blocksize' is {}; expected 1 to 4096", block));
  if (!input->shape || !fully_known(*input->shape)) return node.set(0, std::nullopt, input->type);
  const Shape& shape = *input->shape;
  if (shape.size() != 4)
    return node.fail(fmt::format("its input has the shape {}; expected 4 dimensions", to_string(shape)));
  const auto grown = [&](Int extent, Int factor) { return checked_multiply(extent, factor).value_or(-2); };
  node.set(0,
           to_depth
               ? Shape{shape[0], grown(shape[1], block * block), shape[2] / block, shape[3] / block}
               : Shape{shape[0], shape[1] / (block * block), grown(shape[2], block), grown(shape[3], block)},
           input->type);
}

}  // namespace

void infer_depth_to_space(NodeView& node) { infer_blocks(node, false); }
void infer_space_to_depth(NodeView& node) { infer_blocks(node, true); }

}  // namespace nestor::io::onnx_import
