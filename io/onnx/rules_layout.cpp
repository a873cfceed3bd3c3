// Inference rules (rules.h) for operators that produce constants or shapes, or change only the layout of
// elements.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "io/onnx/constant_reader.h"
#include "io/onnx/fold.h"
#include "io/onnx/rules.h"

namespace nestor::io::onnx_import {
namespace {

// Axes from an attribute (old opsets) or from input 1; `known` is false if they are given but unknown.
struct Axes {
  bool known = false;
  std::optional<std::vector<Int>> list;
};

Axes axes_of(NodeView& node) {
  if (node.has("axes")) return {true, node.integers("axes")};
  if (node.input(1) == nullptr) return {true, std::nullopt};
  auto list = node.integers_input(1);
  return {list.has_value(), std::move(list)};
}

bool is_list(const NodeView& node, std::size_t index) {
  const Shape* shape = node.shape(index);
  return shape != nullptr && shape->size() == 1;
}

// For a target shape of known length but unknown values, returns that many unknown dimensions.
std::optional<Shape> unknown_of_length(const NodeView& node, std::size_t index) {
  if (!is_list(node, index)) return std::nullopt;
  const Int rank = (*node.shape(index))[0];
  if (rank < 0 || rank > 64) return std::nullopt;
  return Shape(static_cast<std::size_t>(rank), unknown_dim);
}

}  // namespace

void infer_constant(NodeView& node) {
  if (const auto* proto = node.find("value"); proto != nullptr && proto->has_t()) {
    const auto& tensor = proto->t();
    node.set(0, Shape(tensor.dims().begin(), tensor.dims().end()), tensor.data_type());
    if (auto value = read_constant(tensor)) node.set_value(0, std::move(*value));
  } else if (const auto* one = node.find("value_int")) {
    node.set(0, Shape{}, int64_type);
    node.set_value(0, {.real = false, .integers = {one->i()}, .reals = {}});
  } else if (const auto* real = node.find("value_float")) {
    node.set(0, Shape{}, float_type);
    node.set_value(0, {.real = true, .integers = {}, .reals = {static_cast<double>(real->f())}});
  } else if (const auto* list = node.find("value_ints")) {
    node.set(0, Shape{list->ints_size()}, int64_type);
    node.set_value(0, {.real = false, .integers = {list->ints().begin(), list->ints().end()}, .reals = {}});
  } else if (const auto* reals = node.find("value_floats")) {
    node.set(0, Shape{reals->floats_size()}, float_type);
    node.set_value(0,
                   {.real = true, .integers = {}, .reals = {reals->floats().begin(), reals->floats().end()}});
  }
}

void infer_shape(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, Shape{unknown_dim}, int64_type);
  const auto rank = static_cast<Int>(input->shape->size());
  const auto clamp = [&](Int stated) {
    return std::clamp<Int>(stated < 0 ? stated + rank : stated, 0, rank);
  };
  const Int begin = clamp(std::max(node.integer("start", 0), -rank));
  const Int end = std::max(begin, clamp(std::max(node.integer("end", rank), -rank)));
  const Shape part(input->shape->begin() + begin, input->shape->begin() + end);
  node.set(0, Shape{end - begin}, int64_type);
  if (fully_known(part)) node.set_value(0, {.real = false, .integers = part, .reals = {}});
}

void infer_size(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  node.set(0, Shape{}, int64_type);
  if (!input->shape) return;
  if (const auto count = element_count(*input->shape)) {
    node.set_value(0, {.real = false, .integers = {*count}, .reals = {}});
  }
}

namespace {

// Returns the product of all extents except one, or nothing if it is unknown.
std::optional<Int> product_without(const Shape& shape, std::size_t skipped) {
  Shape rest = shape;
  rest[skipped] = 1;
  return element_count(rest);
}

// Computes the extent that a reshape specifies as -1.
void find_free_extent(NodeView& node, const Shape& input, Shape& output, std::size_t free) {
  const auto count = element_count(input);
  const auto rest = product_without(output, free);
  if (!count || !rest) return;
  if (*rest == 0 || *count % *rest != 0) {
    return node.fail(fmt::format("shape {} cannot become {}", to_string(input), to_string(output)));
  }
  output[free] = *count / *rest;
}

}  // namespace

void infer_reshape(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const auto target = node.has("shape") ? node.integers("shape") : node.integers_input(1);
  if (!target || !input->shape) {
    std::optional<Shape> output;
    if (target && std::all_of(target->begin(), target->end(), [](Int extent) { return extent > 0; })) {
      output = *target;
    }
    return node.set(0, output ? std::move(output) : unknown_of_length(node, 1), input->type);
  }
  const bool zero_copies = node.integer("allowzero", 0) == 0;
  Shape output = *target;
  std::optional<std::size_t> free;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] == -1) {
      if (free) return node.fail(fmt::format("its target shape {} has more than one -1", list_text(*target)));
      free = i;
    } else if (output[i] == 0 && zero_copies) {
      if (i >= input->shape->size())
        return node.fail(
            fmt::format("shape {} cannot become {}", to_string(*input->shape), list_text(*target)));
      output[i] = (*input->shape)[i];
    } else if (output[i] < -1) {
      return node.fail(fmt::format("its target shape has the extent {}", output[i]));
    }
  }
  if (free) find_free_extent(node, *input->shape, output, *free);
  const auto before = element_count(*input->shape);
  const auto after = element_count(output);
  if (before && after && *before != *after) {
    return node.fail(fmt::format("shape {} cannot become {}", to_string(*input->shape), list_text(*target)));
  }
  node.set(0, std::move(output), input->type);
  fold_copy(node);
}

void infer_flatten(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, Shape{unknown_dim, unknown_dim}, input->type);
  const Shape& shape = *input->shape;
  const auto rank = static_cast<Int>(shape.size());
  Int axis = node.integer("axis", 1);
  if (axis < -rank || axis > rank)
    return node.fail(fmt::format("axis {} is outside the {} dimensions of its input", axis, rank));
  if (axis < 0) axis += rank;
  const auto product = [](auto begin, auto end) {
    return element_count(Shape(begin, end)).value_or(unknown_dim);
  };
  node.set(0, Shape{product(shape.begin(), shape.begin() + axis), product(shape.begin() + axis, shape.end())},
           input->type);
  fold_copy(node);
}

void infer_squeeze(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const Axes axes = axes_of(node);
  if (!input->shape || !axes.known) return node.set(0, std::nullopt, input->type);
  const Shape& shape = *input->shape;
  std::vector<bool> dropped(shape.size(), false);
  if (axes.list) {
    for (const Int stated : *axes.list) {
      const auto axis = node.axis(stated, shape.size());
      if (!axis) return;
      if (shape[*axis] != 1 && shape[*axis] != unknown_dim) {
        return node.fail(fmt::format("dimension {} of {} is not 1", *axis, to_string(shape)));
      }
      dropped[*axis] = true;
    }
  } else {
    if (!fully_known(shape)) return node.set(0, std::nullopt, input->type);
    for (std::size_t i = 0; i < shape.size(); ++i) dropped[i] = shape[i] == 1;
  }
  Shape output;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!dropped[i]) output.push_back(shape[i]);
  }
  node.set(0, std::move(output), input->type);
  fold_copy(node);
}

void infer_unsqueeze(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const Axes axes = axes_of(node);
  if (!input->shape || !axes.known) return node.set(0, std::nullopt, input->type);
  if (!axes.list) return node.fail("input 1 (axes) is missing");
  const std::size_t rank = input->shape->size() + axes.list->size();
  std::vector<bool> added(rank, false);
  for (const Int stated : *axes.list) {
    const auto axis = node.axis(stated, rank);
    if (!axis) return;
    if (added[*axis]) return node.fail(fmt::format("axis {} is given twice", stated));
    added[*axis] = true;
  }
  Shape output;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) output.push_back(added[i] ? 1 : (*input->shape)[next++]);
  node.set(0, std::move(output), input->type);
  fold_copy(node);
}

void infer_transpose(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, std::nullopt, input->type);
  const Shape& shape = *input->shape;
  Shape output(shape.rbegin(), shape.rend());
  if (const auto order = node.integers("perm")) {
    std::vector<bool> seen(shape.size(), false);
    if (order->size() != shape.size())
      return node.fail(fmt::format("{} axes in 'perm' for {} dimensions", order->size(), shape.size()));
    for (std::size_t i = 0; i < order->size(); ++i) {
      const auto axis = node.axis((*order)[i], shape.size());
      if (!axis) return;
      if (seen[*axis]) return node.fail(fmt::format("'perm' {} is not a permutation", list_text(*order)));
      seen[*axis] = true;
      output[i] = shape[*axis];
    }
  }
  node.set(0, std::move(output), input->type);
  if (shape.size() <= 1) fold_copy(node);
}

void infer_expand(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const auto target = node.integers_input(1);
  if (!target || !input->shape) return node.set(0, std::nullopt, input->type);
  for (const Int extent : *target) {
    if (extent < 0) return node.fail(fmt::format("its target shape has the extent {}", extent));
  }
  Shape output = broadcast(node, *input->shape, *target);
  if (node.failed()) return;
  node.set(0, output, input->type);
  const Constant* value = node.constant(0);
  const auto count = element_count(output);
  if (value == nullptr || !count || *count > largest_constant) return;
  if (value->size() == 1 && !value->real) {
    node.set_value(0, {.real = false,
                       .integers = std::vector<Int>(static_cast<std::size_t>(*count), value->integers[0]),
                       .reals = {}});
  } else {
    fold_copy(node);
  }
}

void infer_tile(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const auto repeats = node.integers_input(1);
  if (!repeats || !input->shape) {
    return node.set(0, input->shape ? std::optional(Shape(input->shape->size(), unknown_dim)) : std::nullopt,
                    input->type);
  }
  if (repeats->size() != input->shape->size()) {
    return node.fail(fmt::format("{} repeats for {} dimensions", repeats->size(), input->shape->size()));
  }
  Shape output = *input->shape;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] != unknown_dim) output[i] = checked_multiply(output[i], (*repeats)[i]).value_or(-2);
    if (output[i] < unknown_dim || (*repeats)[i] < 0)
      return node.fail(fmt::format("repeats {} of {}", list_text(*repeats), to_string(*input->shape)));
  }
  node.set(0, std::move(output), input->type);
}

void infer_constant_of_shape(NodeView& node) {
  if (node.required(0) == nullptr) return;
  std::int32_t type = float_type;
  std::optional<Constant> fill = Constant{.real = true, .integers = {}, .reals = {0}};
  if (const auto* proto = node.find("value"); proto != nullptr && proto->has_t()) {
    type = proto->t().data_type();
    fill = read_constant(proto->t());
  }
  const auto shape = node.integers_input(0);
  if (!shape) return node.set(0, unknown_of_length(node, 0), type);
  for (const Int extent : *shape) {
    if (extent < 0) return node.fail(fmt::format("its shape has the extent {}", extent));
  }
  node.set(0, shape, type);
  const auto count = element_count(*shape);
  if (node.failed() || !fill || fill->size() != 1 || !count || *count > largest_constant) return;
  const auto size = static_cast<std::size_t>(*count);
  node.set_value(
      0, fill->real
             ? Constant{.real = true, .integers = {}, .reals = std::vector<double>(size, fill->reals[0])}
             : Constant{.real = false, .integers = std::vector<Int>(size, fill->integers[0]), .reals = {}});
}

void infer_range(NodeView& node) {
  const Tensor* start = node.required(0);
  if (start == nullptr) return;
  const auto first = node.integers_input(0);
  const auto limit = node.integers_input(1);
  const auto step = node.integers_input(2);
  Int count = unknown_dim;
  std::optional<Constant> value;
  if (first && limit && step && first->size() == 1 && limit->size() == 1 && step->size() == 1) {
    const Int by = step->front();
    const auto span =
        by > 0 ? checked_add(limit->front(), -std::max(first->front(), -std::numeric_limits<Int>::max()))
               : checked_add(first->front(), -std::max(limit->front(), -std::numeric_limits<Int>::max()));
    if (by == 0 || by == std::numeric_limits<Int>::min() || !span)
      return node.fail("its start, limit and step do not define a range");
    count = *span <= 0 ? 0 : ceil_divide(*span, by > 0 ? by : -by);
    if (count <= largest_constant) {
      value.emplace();
      for (Int i = 0; i < count; ++i) value->integers.push_back(first->front() + i * by);
    }
  }
  node.set(0, Shape{count}, start->type);
  if (value) node.set_value(0, std::move(*value));
}

}  // namespace nestor::io::onnx_import
