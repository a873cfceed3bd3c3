// Inference rules (rules.h) for operators that work element by element or keep the shape of their first
// input.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "io/onnx/fold.h"
#include "io/onnx/rules.h"

namespace nestor::io::onnx_import {
namespace {

std::int32_t type_of(const Tensor* tensor) { return tensor == nullptr ? undefined_type : tensor->type; }

std::optional<Shape> shape_of(const Tensor* tensor) {
  return tensor == nullptr ? std::nullopt : tensor->shape;
}

// Returns the broadcast shape of all inputs; nothing if one of them has an unknown rank.
std::optional<Shape> broadcast_inputs(NodeView& node) {
  if (node.input_count() == 0) {
    node.required(0);
    return std::nullopt;
  }
  Shape result;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Shape* shape = node.shape(i);
    if (shape == nullptr) return std::nullopt;
    result = broadcast(node, result, *shape);
  }
  return result;
}

}  // namespace

Shape broadcast(NodeView& node, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Int& extent = result[lead + i];
    const Int other = shorter[i];
    if (extent == other || other == 1) continue;
    if (extent == 1 || extent == unknown_dim) {
      extent = other;
    } else if (other != unknown_dim) {
      node.fail(fmt::format("shapes {} and {} do not broadcast", to_string(a), to_string(b)));
      return longer;
    }
  }
  return result;
}

void infer_same_shape(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  node.set(0, input->shape, input->type);
  fold_elementwise(node);
}

void infer_boolean_same_shape(NodeView& node) {
  const Tensor* input = node.required(0);
  node.set(0, shape_of(input), bool_type);
}

void infer_broadcast(NodeView& node) {
  const Tensor* first = node.required(0);
  // Before opset 7, the second operand was broadcast along an axis attribute, and the first kept its shape.
  const bool one_sided = node.node().opset < 7 && node.input_count() == 2;
  node.set(0, one_sided ? shape_of(first) : broadcast_inputs(node), type_of(first));
  fold_elementwise(node);
}

void infer_comparison(NodeView& node) {
  node.set(0, broadcast_inputs(node), bool_type);
  fold_elementwise(node);
}

void infer_where(NodeView& node) {
  node.set(0, broadcast_inputs(node), type_of(node.input(1)));
  fold_elementwise(node);
}

void infer_cast(NodeView& node) {
  const Tensor* input = node.required(0);
  const std::int32_t type = node.node().op == "CastLike"
                                ? type_of(node.input(1))
                                : static_cast<std::int32_t>(std::clamp<Int>(node.integer("to", 0), 0, 1000));
  node.set(0, shape_of(input), type);
  fold_cast(node, type);
}

void infer_quantize(NodeView& node) {
  const Int stated = node.integer("output_dtype", undefined_type);
  std::int32_t type = type_of(node.input(2));
  if (type == undefined_type) type = static_cast<std::int32_t>(std::clamp<Int>(stated, 0, 1000));
  if (type == undefined_type) type = uint8_type;
  node.set(0, shape_of(node.required(0)), type);
}

void infer_dequantize(NodeView& node) {
  const std::int32_t scale = type_of(node.required(1));
  node.set(0, shape_of(node.required(0)), scale == undefined_type ? float_type : scale);
}

void infer_dynamic_quantize(NodeView& node) {
  node.set(0, shape_of(node.required(0)), uint8_type);
  node.set(1, Shape{}, float_type);
  node.set(2, Shape{}, uint8_type);
}

}  // namespace nestor::io::onnx_import
