// Conversion of nodes that are products: convolutions, products by constants, and products of activations.
#include <fmt/format.h>

#include <algorithm>

#include "io/onnx/chip/extractor.h"
#include "io/onnx/quantisation.h"
#include "io/onnx/window.h"

namespace nestor::io::chip_onnx {

using chip::OperatorKind;
using onnx_import::element_count;

namespace {

Int pad_before(NodeView& node, std::size_t axis, std::size_t axes, Int input,
               const onnx_import::Window& window) {
  const std::string automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    const Int reach = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
    const Int total = std::max<Int>(0, (window.output[axis] - 1) * window.stride[axis] + reach - input);
    return automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
  }
  const auto pads = node.integers("pads");
  return pads && pads->size() == 2 * axes ? (*pads)[axis] : 0;
}

}  // namespace

std::optional<SlidingNeed> sliding(NodeView& node, const Shape& input, std::vector<Int> kernel) {
  auto window = onnx_import::sliding_window(node, input, std::move(kernel));
  if (!window) return std::nullopt;
  SlidingNeed made;
  const std::size_t axes = window->kernel.size();
  if (axes > 2) return node.fail("only 1-D and 2-D windows are supported"), std::nullopt;
  for (std::size_t i = 0; i < axes; ++i) {
    const Int pad = pad_before(node, i, axes, input[i + 2], *window);
    for (const Int size : {window->kernel[i], window->stride[i], window->dilation[i], pad}) {
      if (size > largest_window) return node.fail("a window, stride or pad of more than 2^20"), std::nullopt;
    }
    made.function.kernel[i] = window->kernel[i];
    made.function.stride[i] = window->stride[i];
    made.function.dilation[i] = window->dilation[i];
    made.function.pad[i] = pad;
  }
  const auto& f = made.function;
  made.need = {f.stride[0], (f.kernel[0] - 1) * f.dilation[0] - f.pad[0], 1};
  made.pixels = {f.stride[1], (f.kernel[1] - 1) * f.dilation[1] - f.pad[1], 1};
  made.new_rows = std::min(f.stride[0], f.kernel[0]);
  return made;
}

void Extractor::convolve(NodeView& node, std::size_t input_at, std::size_t weight_at) {
  const Source* from = source(node, input_at);
  const Shape* input = known_shape(node, input_at);
  const Shape* weight = input == nullptr ? nullptr : known_shape(node, weight_at);
  if (weight == nullptr) return;
  if (from == nullptr || source(node, weight_at) != nullptr) {
    return node.fail("a convolution of constants or with computed weights");
  }
  if (input->size() < 3 || (*input)[0] != 1) {
    return node.fail(
        fmt::format("its input has the shape {}; expected a batch of 1", onnx_import::to_string(*input)));
  }
  if (weight->size() != input->size())
    return node.fail("its weight and its input have different numbers of dimensions");
  const auto window = sliding(node, *input, {weight->begin() + 2, weight->end()});
  const Int groups = node.integer("group", 1);
  if (!window || node.failed()) return;
  const Int channels = (*input)[1];
  if (groups < 1 || channels % groups != 0 || (*weight)[0] % groups != 0 ||
      (*weight)[1] != channels / groups) {
    return node.fail("its groups do not divide its channels");
  }
  chip::Operator op = begin(node, node.node().label, OperatorKind::array);
  const BitWidths widths = bits_ ? *bits_
                                 : onnx_import::bits_of(graph_, node.node().inputs[input_at],
                                                        node.node().inputs[weight_at], node.output(0));
  op.bits = {widths.input, widths.weight, widths.output};
  op.function = window->function;
  op.function.kind = FunctionKind::convolution;
  op.matrix = {window->function.kernel[0] * window->function.kernel[1] * (channels / groups),
               (*weight)[0] / groups, groups};
  op.in_channels = channels;
  const Int width = input->size() == 4 ? (*input)[3] : 1;
  op.row_in = window->new_rows * width * channels;
  read(op, *from, window->need);
  read_pixels(op, *from, window->pixels);
  if (from->keeps_pixels()) {
    op.inputs.back().taps = window->function.kernel[0];
    op.inputs.back().tap_step = window->function.dilation[0];
  }
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  std::vector<Along> along = usual_axes(4);
  along.resize(shape->size());
  convolution_numbers(node, op, node.node().inputs[weight_at]);
  finish(node, std::move(op), 0, along, *shape);
  if (!node.failed()) arrays_[node.output(0)] = true;
}

void Extractor::by_constant(NodeView& node, const Source& left, Int depth, Int columns, TensorId weight) {
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  chip::Operator op = begin(node, node.node().label, OperatorKind::array);
  const BitWidths widths =
      bits_ ? *bits_ : onnx_import::bits_of(graph_, node.node().inputs[0], weight, node.output(0));
  op.bits = {widths.input, widths.weight, widths.output};
  op.matrix = {depth, columns, 1};
  op.in_channels = op.row_in = depth;
  op.function.kind = FunctionKind::convolution;
  std::vector<Along> along(shape->size(), Along::rows);
  along.back() = Along::channels;
  const Int rows = *element_count(*shape) / shape->back();
  const bool whole = rows == 1 && left.scrambled && left.made.rows * left.made.row() == depth;
  if (whole) {
    // For a flattened image, the matrix rows follow the order of the image, which is read as one pixel.
    op.function.views = {{1, 1, depth, 0}};
    op.inputs = {{left.tensor, {0, left.made.rows - 1, 1}, false, std::nullopt, left.made.rows, 1}};
  } else {
    read(op, left, {1, 0, 1});
    if (rows == 1)
      op.inputs.back().need =
          left.need().a == 0 ? left.need() : chip::Need{0, left.need().b / left.need().c, 1};
  }
  product_numbers(node, op, left, weight, whole);
  finish(node, std::move(op), 0, along, *shape);
  if (!node.failed()) arrays_[node.output(0)] = true;
}

void Extractor::gemm(NodeView& node) {
  const Shape* left = known_shape(node, 0);
  const Shape* right = left == nullptr ? nullptr : known_shape(node, 1);
  if (right == nullptr) return;
  const auto product = onnx_import::gemm_product(node, *left, *right);
  if (!product) return;
  const Source* from = source(node, 0);
  if (from == nullptr) return node.fail("its left factor is a constant");
  if (const Source* second = source(node, 1)) return by_activation(node, *from, *second, *product);
  if (node.integer("transA", 0) != 0)
    return by_constant(node, transposed(*from, {1, 0}), product->depth, product->columns,
                       node.node().inputs[1]);
  by_constant(node, *from, product->depth, product->columns, node.node().inputs[1]);
}

void Extractor::multiply(NodeView& node, std::size_t left_at, std::size_t right_at) {
  const Shape* left = known_shape(node, left_at);
  const Shape* right = left == nullptr ? nullptr : known_shape(node, right_at);
  if (right == nullptr) return;
  const auto product = onnx_import::matrix_product(node, *left, *right);
  if (!product) return;
  const Source* from = source(node, left_at);
  const Source* second = source(node, right_at);
  if (from != nullptr && second != nullptr) return by_activation(node, *from, *second, *product);
  if (from == nullptr) return node.fail("its left factor is a constant; swap the factors");
  const bool one_matrix =
      std::all_of(product->right_batch.begin(), product->right_batch.end(), [](Int n) { return n == 1; });
  if (!one_matrix || product->column_vector)
    return node.fail("a constant right factor of more than one matrix");
  by_constant(node, *from, product->depth, product->columns, node.node().inputs[right_at]);
}

chip::Operator Extractor::product_of(NodeView& node, const std::string& name, Int rows,
                                     const chip::Matrix& matrix) {
  chip::Operator op = begin(node, name, OperatorKind::product);
  op.matrix = matrix;
  op.rows = rows;
  op.in_channels = op.row_in = matrix.rows * matrix.groups;
  // A chip that lists its functions without `mul` or `add` runs the product on crossbars only.
  const chip::ChipFunction* mul = chip::find_function(machine_, "mul");
  const chip::ChipFunction* add = chip::find_function(machine_, "add");
  const Int each = mul != nullptr && add != nullptr ? mul->ops + add->ops : operations("MatMul", 2);
  op.alu_ops = each * matrix.rows * matrix.columns * matrix.groups;
  op.function.kind = FunctionKind::product;
  return op;
}

void Extractor::by_activation(NodeView& node, const Source& left, const Source& right,
                              const onnx_import::Product& product) {
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  Int groups = 1;
  for (const Int extent : product.batch) groups *= extent;
  chip::Operator op =
      product_of(node, node.node().label, product.rows, {product.depth, product.columns, groups});
  const std::size_t rank = right.axes.size();
  if (rank < 2 || shape->size() < 2) return node.fail("a product with a vector");
  // In a product for attention scores, the columns of the right factor are rows of its tensor.
  const Axis& columns = right.axes[rank - 1];
  op.function.transposed = columns.along == Along::rows;
  read(op, left, {1, 0, 1});
  read(op, right, {1, 0, 1}, true);
  // Heads are adjacent in the channels.
  std::vector<Along> along(shape->size(), Along::channels);
  along[shape->size() - 2] = Along::rows;
  finish(node, std::move(op), 0, along, *shape);
}

// Adds the two products of attention: scores = query x key', context = scores x value.
void Extractor::attention(NodeView& node) {
  const auto extents = onnx_import::attention_extents(node);
  const Shape* shape = output_shape(node);
  if (!extents || shape == nullptr) return;
  const Source* query = source(node, 0);
  const Source* key = source(node, 1);
  const Source* value = source(node, 2);
  const auto& e = *extents;
  if (query == nullptr || key == nullptr || value == nullptr || e.batch != 1 ||
      e.keys == onnx_import::unknown_dim || e.heads != e.key_heads) {
    return node.fail(
        "attention of constants, of unknown length, with shared heads or of more than one batch");
  }
  const std::string& name = node.node().label;
  chip::Operator scores =
      product_of(node, names_.take(name + "/scores"), e.queries, {e.size, e.keys, e.heads});
  scores.channels = e.keys * e.heads;
  scores.function.transposed = true;
  read(scores, *query, {1, 0, 1});
  read(scores, *key, {1, 0, 1}, true);
  Source between = plain_source(network_.tensors(), {e.queries, e.heads, e.keys},
                                {Along::rows, Along::channels, Along::channels});
  network_.operators.push_back(std::move(scores));
  model_.operators.emplace_back();
  chip::Operator context = product_of(node, name + "/context", e.queries, {e.keys, e.value_size, e.heads});
  read(context, between, {1, 0, 1});
  read(context, *value, {1, 0, 1}, true);
  const std::vector<Along> flat = {Along::nothing, Along::rows, Along::channels};
  const std::vector<Along> headed = {Along::nothing, Along::channels, Along::rows, Along::channels};
  finish(node, std::move(context), 0, e.flat ? flat : headed, *shape);
}

}  // namespace nestor::io::chip_onnx
