#include "model/chip/program/infer_functions.h"

#include <algorithm>

namespace nestor::chip_program {
namespace {

using chip::ChipNetwork;
using chip::Function;
using chip::FunctionKind;
using chip::Operator;
using chip::OperatorKind;

struct Shape {
  Int rows, width, channels;
};

Shape shape_of(const ChipNetwork& network, std::size_t tensor) {
  if (network.is_input(tensor)) {
    const auto& input = network.inputs[tensor];
    return {input.rows, input.width, input.channels};
  }
  const Operator& op = network.operators[network.producer(tensor)];
  return {op.rows, op.width, op.channels};
}

Int whole_root(Int square) {
  Int root = 0;
  while ((root + 1) <= square / (root + 1)) ++root;
  return root * root == square ? root : 0;
}

// Returns the shape of all inputs concatenated along channels, or an empty shape if their rows or widths
// differ.
Shape side_by_side(const ChipNetwork& network, const Operator& op) {
  Shape all = shape_of(network, op.inputs.front().tensor);
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    const Shape next = shape_of(network, op.inputs[i].tensor);
    if (next.rows != all.rows || next.width != all.width) return {0, 0, 0};
    all.channels += next.channels;
  }
  return all;
}

Function window(const Shape& in, const Operator& op, Int kernel_rows, Int kernel_width) {
  Function function;
  const auto& need = op.inputs.front().need;
  function.kernel = {kernel_rows, kernel_width};
  if (need.c != 1 || need.a > std::max(in.rows, in.width)) return function;
  const Int stride = std::max<Int>(1, need.a);
  const Int pad = need.a == 0 ? 0 : kernel_rows - 1 - need.b;
  function.stride = {stride, stride};
  function.pad = {pad, kernel_width == 1 ? 0 : pad};
  // With a padding of the kernel's size or more, some windows would have no elements.
  if (pad >= 0 && pad < std::max(kernel_rows, Int{1})) function.kind = FunctionKind::convolution;
  return function;
}

Function of_array(const ChipNetwork& network, const Operator& op) {
  const Shape in = side_by_side(network, op);
  const Int channels = op.in_channels / op.matrix.groups;
  if (in.rows == 0 || channels < 1 || op.matrix.rows % channels != 0) return {};
  const Int area = op.matrix.rows / channels;
  if (op.rows == 1 && op.width == 1 && op.matrix.groups == 1 && area == 1 &&
      channels == in.rows * in.width * in.channels && in.rows * in.width > 1) {
    // A flattened image is read as one pixel that contains all elements.
    Function function;
    function.kind = FunctionKind::convolution;
    function.views = {{1, 1, channels, 0}};
    return function;
  }
  if (op.rows == 1 && op.width == 1 && area == in.rows * in.width && op.inputs.front().need.a == 0) {
    return window(in, op, in.rows, in.width);
  }
  const Int side = whole_root(area);
  if (side > 0) return window(in, op, side, side);
  return in.width == 1 ? window(in, op, area, 1) : Function{};
}

Function of_product(const ChipNetwork& network, const Operator& op) {
  Function function;
  Shape left{0, 0, 0};
  Shape right{0, 0, 0};
  for (const auto& input : op.inputs) {
    (input.gated ? right : left) = shape_of(network, input.tensor);
  }
  if (op.inputs.size() != 2 || op.width != 1 || left.rows != op.rows || left.width != 1) return function;
  const auto& m = op.matrix;
  if (left.channels != m.rows * m.groups) return function;
  const Int length = right.rows * right.width;
  function.transposed = length == m.columns && right.channels == m.rows * m.groups;
  const bool plain = length == m.rows && right.channels == m.columns * m.groups;
  if (plain || function.transposed) function.kind = FunctionKind::product;
  return function;
}

Function of_digital(const ChipNetwork& network, const Operator& op) {
  Function function;
  const Shape all = side_by_side(network, op);
  const Shape first = shape_of(network, op.inputs.front().tensor);
  const bool same_rows = all.rows == op.rows && all.width == op.width;
  Int rows = 0;
  bool equal = same_rows;
  for (const auto& input : op.inputs) {
    const Shape shape = shape_of(network, input.tensor);
    equal = equal && shape.channels == op.channels;
    rows += shape.width == op.width && shape.channels == op.channels ? shape.rows : op.rows + 1;
  }
  if (equal && op.inputs.size() > 1) {
    function.kind = FunctionKind::add;
  } else if (same_rows && all.channels == op.channels) {
    function.kind = op.inputs.size() == 1 || op.alu_ops > 0 ? FunctionKind::relu : FunctionKind::concat;
  } else if (rows == op.rows && op.inputs.size() > 1) {
    function.kind = FunctionKind::concat_rows;
  } else if (all.rows > 0 && all.channels == op.channels && op.rows == 1 && op.width == 1) {
    function = window(all, op, all.rows, all.width);
    if (function.kind == FunctionKind::convolution) function.kind = FunctionKind::average_pool;
  } else if (all.rows > 0 && all.channels == op.channels && op.rows < first.rows) {
    const auto& need = op.inputs.front().need;
    const Int side = std::max(need.a, std::min(need.b + 1, first.rows));
    function = window(all, op, side, side);
    if (function.kind == FunctionKind::convolution) function.kind = FunctionKind::max_pool;
  }
  return function;
}

}  // namespace

void infer_functions(ChipNetwork& network) {
  for (Operator& op : network.operators) {
    if (op.function.kind != FunctionKind::unknown || op.inputs.empty() || op.piece.adds) continue;
    if (op.kind == OperatorKind::array) op.function = of_array(network, op);
    if (op.kind == OperatorKind::product) op.function = of_product(network, op);
    if (op.kind == OperatorKind::alu) op.function = of_digital(network, op);
  }
}

}  // namespace nestor::chip_program
