#include "io/onnx/node_view.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

namespace nestor::io::onnx_import {
namespace {

constexpr std::size_t most_dimensions = 64;

}  // namespace

const Tensor* NodeView::input(std::size_t index) const {
  if (index >= node_.inputs.size() || node_.inputs[index] == no_tensor) return nullptr;
  return &graph_.tensors[node_.inputs[index]];
}

const Tensor* NodeView::required(std::size_t index) {
  const Tensor* tensor = input(index);
  if (tensor == nullptr) fail(fmt::format("input {} is missing", index));
  return tensor;
}

const Shape* NodeView::shape(std::size_t index) const {
  const Tensor* tensor = input(index);
  return tensor != nullptr && tensor->shape ? &*tensor->shape : nullptr;
}

const Constant* NodeView::constant(std::size_t index) const {
  const Tensor* tensor = input(index);
  return tensor != nullptr && tensor->value ? &*tensor->value : nullptr;
}

std::optional<std::vector<Int>> NodeView::integers_input(std::size_t index) const {
  const Constant* value = constant(index);
  if (value == nullptr || value->real) return std::nullopt;
  return value->integers;
}

const ::onnx::AttributeProto* NodeView::find(std::string_view attribute) const {
  for (const Attribute& known : node_.attributes) {
    if (known.name == attribute) return known.proto;
  }
  return nullptr;
}

Int NodeView::integer(std::string_view attribute, Int fallback) {
  const auto* proto = find(attribute);
  if (proto == nullptr) return fallback;
  if (proto->has_i()) return proto->i();
  // proto3 writers omit a value of 0.
  if (proto->type() == ::onnx::AttributeProto::INT) return 0;
  fail(fmt::format("attribute '{}' is not an integer", attribute));
  return fallback;
}

std::optional<std::vector<Int>> NodeView::integers(std::string_view attribute) {
  const auto* proto = find(attribute);
  if (proto == nullptr) return std::nullopt;
  if (proto->ints_size() == 0 && proto->type() != ::onnx::AttributeProto::INTS) {
    fail(fmt::format("attribute '{}' is not a list of integers", attribute));
    return std::nullopt;
  }
  return std::vector<Int>(proto->ints().begin(), proto->ints().end());
}

std::string NodeView::text(std::string_view attribute, std::string fallback) {
  const auto* proto = find(attribute);
  if (proto == nullptr) return fallback;
  if (proto->has_s()) return proto->s();
  fail(fmt::format("attribute '{}' is not a string", attribute));
  return fallback;
}

void NodeView::set(std::size_t index, std::optional<Shape> shape, std::int32_t type) {
  if (index >= node_.outputs.size() || node_.outputs[index] == no_tensor) return;
  Tensor& tensor = graph_.tensors[node_.outputs[index]];
  if (shape) {
    if (shape->size() > most_dimensions)
      return fail(fmt::format("its output would have {} dimensions", shape->size()));
    for (const Int extent : *shape) {
      if (extent < unknown_dim)
        return fail(fmt::format("its output would have the shape {}", to_string(*shape)));
    }
    if (fully_known(*shape) && !element_count(*shape)) {
      return fail(
          fmt::format("its output would have the shape {}: too many elements to count", to_string(*shape)));
    }
  }
  tensor.shape = std::move(shape);
  tensor.type = type;
}

void NodeView::set_value(std::size_t index, Constant value) {
  if (index >= node_.outputs.size() || node_.outputs[index] == no_tensor) return;
  Tensor& tensor = graph_.tensors[node_.outputs[index]];
  const auto count = tensor.shape ? element_count(*tensor.shape) : std::nullopt;
  if (count && *count <= largest_constant && static_cast<Int>(value.size()) == *count) {
    tensor.value = std::move(value);
  }
}

TensorId NodeView::output(std::size_t index) const {
  return index < node_.outputs.size() ? node_.outputs[index] : no_tensor;
}

std::optional<std::size_t> NodeView::axis(Int stated, std::size_t rank) {
  const auto signed_rank = static_cast<Int>(rank);
  if (stated < -signed_rank || stated >= signed_rank) {
    fail(fmt::format("axis {} is outside the {} dimensions of its input", stated, rank));
    return std::nullopt;
  }
  return static_cast<std::size_t>(stated < 0 ? stated + signed_rank : stated);
}

void NodeView::fail(std::string message) {
  if (!failure_) failure_ = std::move(message);
}

MaybeError NodeView::failure() const {
  if (!failure_) return std::nullopt;
  return input_error({graph_.file}, fmt::format("{}: {}", describe(node_), *failure_));
}

}  // namespace nestor::io::onnx_import
