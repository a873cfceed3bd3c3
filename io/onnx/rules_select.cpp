// Inference rules (rules.h) for operators that select parts of tensors, join tensors, or reduce over axes.
#include <fmt/format.h>

#include <algorithm>

#include "io/onnx/fold.h"
#include "io/onnx/rules.h"

namespace nestor::io::onnx_import {
namespace {

void fold_concat(NodeView& node) {
  Constant all;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Constant* part = node.constant(i);
    if (part == nullptr || part->real || node.shape(i)->size() != 1) return;
    all.integers.insert(all.integers.end(), part->integers.begin(), part->integers.end());
  }
  node.set_value(0, std::move(all));
}

}  // namespace

void infer_concat(NodeView& node) {
  const Tensor* first = node.required(0);
  if (first == nullptr) return;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    if (node.shape(i) == nullptr) return node.set(0, std::nullopt, first->type);
  }
  Shape output = *first->shape;
  // Opset 1 had a default axis of 1; later opsets require the attribute.
  const auto axis = node.axis(node.integer("axis", 1), output.size());
  if (!axis) return;
  for (std::size_t i = 1; i < node.input_count(); ++i) {
    const Shape& other = *node.shape(i);
    const auto unfit = [&] {
      node.fail(fmt::format("shapes {} and {} do not join along axis {}", to_string(*first->shape),
                            to_string(other), *axis));
    };
    if (other.size() != output.size()) return unfit();
    for (std::size_t d = 0; d < output.size(); ++d) {
      if (d == *axis) {
        const bool known = output[d] != unknown_dim && other[d] != unknown_dim;
        output[d] = known ? checked_add(output[d], other[d]).value_or(-2) : unknown_dim;
      } else if (output[d] == unknown_dim) {
        output[d] = other[d];
      } else if (other[d] != unknown_dim && other[d] != output[d]) {
        return unfit();
      }
    }
  }
  node.set(0, std::move(output), first->type);
  fold_concat(node);
}

void infer_split(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const std::size_t parts = node.output_count();
  if (!input->shape || parts == 0) return;
  const Shape& shape = *input->shape;
  const auto axis = node.axis(node.integer("axis", 0), shape.size());
  if (!axis) return;
  auto sizes = node.has("split") ? node.integers("split") : node.integers_input(1);
  if (!sizes && (node.input(1) != nullptr || shape[*axis] == unknown_dim)) {
    sizes = std::vector<Int>(parts, unknown_dim);
  } else if (!sizes) {
    const auto count = static_cast<Int>(parts);
    const Int each = ceil_divide(shape[*axis], count);
    sizes = std::vector<Int>(parts, each);
    sizes->back() = shape[*axis] - each * (count - 1);
  }
  if (sizes->size() != parts) return node.fail(fmt::format("{} sizes for {} outputs", sizes->size(), parts));
  Int sum = 0;
  for (const Int size : *sizes) {
    const auto more = size < unknown_dim ? std::nullopt : checked_add(sum, size);
    if (!more) return node.fail(fmt::format("cannot be split into {}", list_text(*sizes)));
    sum = *more;
  }
  const bool all_known = fully_known(*sizes) && shape[*axis] != unknown_dim;
  if (all_known && sum != shape[*axis]) {
    return node.fail(
        fmt::format("axis {} of {} cannot be split into {}", *axis, to_string(shape), list_text(*sizes)));
  }
  const Constant* value = node.constant(0);
  const Shape whole = shape;
  const std::int32_t type = input->type;
  Int offset = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    Shape part = whole;
    part[*axis] = (*sizes)[i];
    node.set(i, std::move(part), type);
    if (value != nullptr && !value->real && whole.size() == 1 && all_known) {
      const auto begin = value->integers.begin() + offset;
      node.set_value(i, {.real = false, .integers = {begin, begin + (*sizes)[i]}, .reals = {}});
    }
    offset += (*sizes)[i];
  }
}

namespace {

struct Range {
  Int start, end, step;
};

// Returns the number of elements of a slice, with numpy's clamping, and clamps start and step.
Int slice_length(Range& range, Int extent) {
  const auto from_end = [&](Int index) { return index < 0 ? std::max(index, -extent - 1) + extent : index; };
  const bool forward = range.step > 0;
  range.start = std::clamp<Int>(from_end(range.start), forward ? 0 : -1, forward ? extent : extent - 1);
  range.end = std::clamp<Int>(from_end(range.end), forward ? 0 : -1, forward ? extent : extent - 1);
  const Int span = forward ? range.end - range.start : range.start - range.end;
  if (span <= 0) return 0;
  // Any step beyond the extent selects one element; clamping keeps its negation in range.
  range.step = std::clamp<Int>(range.step, -extent - 1, extent + 1);
  return ceil_divide(span, forward ? range.step : -range.step);
}

struct SliceInputs {
  std::optional<std::vector<Int>> starts, ends, axes, steps;
  bool known = true;
};

SliceInputs slice_inputs(NodeView& node) {
  SliceInputs inputs;
  if (node.has("starts")) {
    inputs.starts = node.integers("starts");
    inputs.ends = node.integers("ends");
    inputs.axes = node.integers("axes");
  } else {
    inputs.starts = node.integers_input(1);
    inputs.ends = node.integers_input(2);
    inputs.axes = node.integers_input(3);
    inputs.steps = node.integers_input(4);
    inputs.known = (node.input(3) == nullptr || inputs.axes) && (node.input(4) == nullptr || inputs.steps);
  }
  inputs.known = inputs.known && inputs.starts && inputs.ends;
  return inputs;
}

void fold_slice(NodeView& node, const Range& range, Int length) {
  const Constant* value = node.constant(0);
  if (value == nullptr || value->real || node.shape(0)->size() != 1) return;
  Constant part;
  for (Int i = 0; i < length; ++i) {
    part.integers.push_back(value->integers[static_cast<std::size_t>(range.start + i * range.step)]);
  }
  node.set_value(0, std::move(part));
}

}  // namespace

void infer_slice(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, std::nullopt, input->type);
  const SliceInputs inputs = slice_inputs(node);
  Shape output = *input->shape;
  if (!inputs.known) {
    // All extents become unknown, even if the sliced axes are known.
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = unknown_dim;
    return node.set(0, std::move(output), input->type);
  }
  const std::size_t count = inputs.starts->size();
  if (inputs.ends->size() != count || (inputs.axes && inputs.axes->size() != count) ||
      (inputs.steps && inputs.steps->size() != count)) {
    return node.fail("its starts, ends, axes and steps differ in length");
  }
  Range range{0, 0, 1};
  Int length = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = node.axis(inputs.axes ? (*inputs.axes)[i] : static_cast<Int>(i), output.size());
    if (!axis) return;
    range = {(*inputs.starts)[i], (*inputs.ends)[i], inputs.steps ? (*inputs.steps)[i] : 1};
    if (range.step == 0) return node.fail("a step of 0");
    if (output[*axis] == unknown_dim) continue;
    length = slice_length(range, output[*axis]);
    output[*axis] = length;
  }
  node.set(0, std::move(output), input->type);
  if (count == 1 && node.shape(0)->size() == 1 && fully_known(*node.shape(0)))
    fold_slice(node, range, length);
}

void infer_gather(NodeView& node) {
  const Tensor* data = node.required(0);
  const Tensor* indices = node.required(1);
  if (data == nullptr || indices == nullptr) return;
  if (!data->shape || !indices->shape) return node.set(0, std::nullopt, data->type);
  const auto axis = node.axis(node.integer("axis", 0), data->shape->size());
  if (!axis) return;
  Shape output = *data->shape;
  output.erase(output.begin() + static_cast<std::ptrdiff_t>(*axis));
  output.insert(output.begin() + static_cast<std::ptrdiff_t>(*axis), indices->shape->begin(),
                indices->shape->end());
  node.set(0, std::move(output), data->type);
  if (!data->value || data->value->real || !indices->value || indices->value->real ||
      data->shape->size() != 1)
    return;
  Constant taken;
  const auto size = static_cast<Int>(data->value->integers.size());
  for (const Int index : indices->value->integers) {
    if (index < -size || index >= size)
      return node.fail(fmt::format("index {} is outside the {} elements of its input", index, size));
    taken.integers.push_back(
        data->value->integers[static_cast<std::size_t>(index < 0 ? index + size : index)]);
  }
  node.set_value(0, std::move(taken));
}

void infer_reduce(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  const bool keep = node.integer("keepdims", 1) != 0;
  auto axes = node.has("axes") ? node.integers("axes") : node.integers_input(1);
  const bool unknown_axes = !axes && node.input(1) != nullptr;
  if (!input->shape || node.failed()) return node.set(0, std::nullopt, input->type);
  const Shape& shape = *input->shape;
  if (unknown_axes) {
    return node.set(0, keep ? std::optional(Shape(shape.size(), unknown_dim)) : std::nullopt, input->type);
  }
  const bool all = (!axes || axes->empty()) && node.integer("noop_with_empty_axes", 0) == 0;
  std::vector<bool> reduced(shape.size(), all);
  for (const Int stated : axes.value_or(std::vector<Int>())) {
    const auto axis = node.axis(stated, shape.size());
    if (!axis) return;
    reduced[*axis] = true;
  }
  Shape output;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!reduced[i]) output.push_back(shape[i]);
    if (reduced[i] && keep) output.push_back(1);
  }
  node.set(0, std::move(output), input->type);
  fold_reduce(node);
}

void infer_arg_reduce(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr) return;
  if (!input->shape) return node.set(0, std::nullopt, int64_type);
  Shape output = *input->shape;
  const auto axis = node.axis(node.integer("axis", 0), output.size());
  if (!axis) return;
  if (node.integer("keepdims", 1) != 0) {
    output[*axis] = 1;
  } else {
    output.erase(output.begin() + static_cast<std::ptrdiff_t>(*axis));
  }
  node.set(0, std::move(output), int64_type);
}

void infer_top_k(NodeView& node) {
  const Tensor* input = node.required(0);
  if (input == nullptr || !input->shape) return;
  Shape output = *input->shape;
  const auto axis = node.axis(node.integer("axis", -1), output.size());
  if (!axis) return;
  const auto count = node.integers_input(1);
  output[*axis] = count && count->size() == 1 ? count->front() : node.integer("k", unknown_dim);
  node.set(0, output, input->type);
  node.set(1, std::move(output), int64_type);
}

}  // namespace nestor::io::onnx_import
