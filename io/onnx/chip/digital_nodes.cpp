// Conversion of the nodes that the digital unit computes: elementwise operations, pooling, normalisations,
// concatenations, and nodes without a specific rule.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/onnx/chip/extractor.h"

namespace nestor::io::chip_onnx {

using chip::OperatorKind;
using onnx_import::element_count;
using onnx_import::fully_known;
using onnx_import::Tensor;

namespace {

std::vector<Along> along_of(const Source& source) {
  std::vector<Along> along;
  for (const Axis& axis : source.axes) along.push_back(axis.along);
  return along;
}

bool same_extents(const Source& source, const Shape& shape) {
  return source.axes.size() == shape.size() &&
         std::equal(shape.begin(), shape.end(), source.axes.begin(),
                    [](Int n, const Axis& axis) { return n == axis.extent; });
}

// True if the constant has one value per channel, or one value for all channels.
bool is_per_channel(const Tensor& constant, Int channels) {
  if (!constant.shape || !fully_known(*constant.shape)) return false;
  const auto count = element_count(*constant.shape);
  return count && (*count == 1 || *count == channels) &&
         (constant.shape->empty() ||
          *std::max_element(constant.shape->begin(), constant.shape->end()) == *count);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> tables = {{
    {"Abs", "abs"},
    {"Clip", "clip"},
    {"Erf", "erf"},
    {"Exp", "exp"},
    {"Gelu", "gelu"},
    {"HardSigmoid", "hardsigmoid"},
    {"HardSwish", "hardswish"},
    {"LeakyRelu", "leakyrelu"},
    {"Neg", "neg"},
    {"Sigmoid", "sigmoid"},
    {"Sqrt", "sqrt"},
    {"Tanh", "tanh"},
}};

}  // namespace

void Extractor::describe_elementwise(const NodeView& node, chip::Operator& op) const {
  const std::string& name = node.node().op;
  op.function.kind = FunctionKind::unknown;
  if (activations(node) == 2 && node.input_count() == 2) {
    if (name == "Add") op.function.kind = FunctionKind::add;
    if (name == "Sub") op.function.kind = FunctionKind::subtract;
    if (name == "Mul") op.function.kind = FunctionKind::multiply;
  }
  if (activations(node) != 1) return;
  if (name == "Relu") op.function.kind = FunctionKind::relu;
  for (const auto& [known, table] : tables) {
    if (known != name) continue;
    op.function.kind = FunctionKind::table;
    op.function.table = table;
  }
}

// Folds the bias of an Add into the preceding array operator if possible. Otherwise, adds an operator that
// works element by element, by default with one operation per element of the result. Operands of one row are
// read again for every row.
void Extractor::elementwise(NodeView& node) {
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  const Source* like = nullptr;
  std::size_t like_at = 0;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Source* operand = source(node, i);
    if (operand == nullptr || !same_extents(*operand, *shape) || like != nullptr) continue;
    like = operand;
    like_at = i;
  }
  if (like == nullptr) return anything(node);
  const bool biased = node.node().op == "Add" && node.input_count() == 2 && activations(node) == 1;
  if (biased && folded_into_array(node, like_at) &&
      is_per_channel(*node.input(1 - like_at), like->shape().channels)) {
    bias_numbers(*like, node.node().inputs[1 - like_at]);
    set_source(node, 0, *like);
    arrays_[node.output(0)] = true;
    return;
  }
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  describe_elementwise(node, op);
  const PixelShape pixels = like->shape();
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Source* operand = source(node, i);
    if (operand == nullptr) continue;
    const PixelShape read_shape = operand->shape();
    read(op, *operand, read_shape.rows == 1 && pixels.rows > 1 ? chip::Need{0, 0, 1} : chip::Need{1, 0, 1});
    if (read_shape.width == pixels.width) read_pixels(op, *operand, {1, 0, 1});
    op.row_in += read_shape.row();
  }
  op.in_channels = pixels.channels;
  unary_numbers(node);
  constant_operand(node, op);
  charge(node, op, node.node().op, operations(node.node().op, 1) * pixels.row(),
         {pixels.row(), op.row_in, activations(node) == 1});
  finish(node, std::move(op), 0, along_of(*like), *shape);
}

// Adds an operator of a known type for whose form there is no specific rule.
void Extractor::anything(NodeView& node) { whole(node, std::nullopt); }

// Adds an operator of a type without a rule. Its cost comes from a function of the chip or from --unknown.
void Extractor::unknown(NodeView& node) {
  if (chip::find_function(machine_, node.node().op) != nullptr) return whole(node, std::nullopt);
  if (!unknown_)
    return node.fail("unknown operator type; --unknown N counts N operations per element for it");
  whole(node, unknown_);
}

// Adds an operator with `each` operations per element of the largest input or of the result, whichever has
// more elements. Without `each`, the machine determines the number of operations. Inputs with as many rows as
// the result are read row by row, other inputs as a whole.
void Extractor::whole(NodeView& node, std::optional<Int> each) {
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  op.function.kind = FunctionKind::unknown;
  const Source& first = first_source(node);
  const bool same_rank = first.axes.size() == shape->size();
  const std::vector<Along> along = same_rank ? along_of(first) : usual_axes(shape->size());
  const PixelShape made = plain_source(0, *shape, along).made;
  Int elements = made.rows * made.row();
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Source* operand = source(node, i);
    if (operand == nullptr) continue;
    const PixelShape pixels = operand->shape();
    const bool by_rows = pixels.rows == made.rows;
    read(op, *operand, by_rows ? chip::Need{1, 0, 1} : chip::Need{0, pixels.rows - 1, 1});
    op.row_in += by_rows ? pixels.row() : ceil_divide(pixels.rows * pixels.row(), made.rows);
    elements = std::max(elements, pixels.rows * pixels.row());
  }
  op.in_channels = first.shape().channels;
  const Int of_row = ceil_divide(elements, made.rows);
  if (each)
    op.alu_ops = *each * of_row;
  else
    charge(node, op, node.node().op, operations(node.node().op, 1) * of_row,
           {made.row(), op.row_in, activations(node) == 1});
  finish(node, std::move(op), 0, along, *shape);
}

void Extractor::pool(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* input = known_shape(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || input == nullptr || shape == nullptr) return;
  const auto kernel = node.integers("kernel_shape");
  if (!kernel) return node.fail("attribute 'kernel_shape' is missing");
  const auto window = sliding(node, *input, *kernel);
  if (!window) return;
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  op.function = window->function;
  op.function.kind = node.node().op == "MaxPool" ? FunctionKind::max_pool : FunctionKind::average_pool;
  pool_numbers(node);
  const PixelShape pixels = from->shape();
  read(op, *from, window->need);
  read_pixels(op, *from, window->pixels);
  op.in_channels = pixels.channels;
  op.row_in = window->new_rows * pixels.row();
  std::vector<Along> along = usual_axes(4);
  along.resize(shape->size());
  const Int each = window->function.kernel[0] * window->function.kernel[1];
  const Int made = plain_source(0, *shape, along).made.row();
  charge(node, op, node.node().op, operations("pool", operations(node.node().op, each)) * made,
         {made, each * made, false});
  finish(node, std::move(op), 0, along, *shape);
}

void Extractor::global_pool(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || shape == nullptr) return;
  const PixelShape pixels = from->shape();
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  op.function.kind =
      node.node().op == "GlobalAveragePool" ? FunctionKind::average_pool : FunctionKind::max_pool;
  op.function.kernel = {pixels.rows, pixels.width};
  read(op, *from, {0, pixels.rows - 1, 1});
  op.in_channels = pixels.channels;
  op.row_in = pixels.rows * pixels.row();
  charge(node, op, node.node().op, op.row_in, {pixels.channels, op.row_in, false});
  finish(node, std::move(op), 0, usual_axes(shape->size()), *shape);
}

// Adds a Softmax (by default with 5 operations per element), LayerNormalization (7) or Gelu (8). Softmax and
// LayerNormalization along the last axis work on runs of channels; each run has as many channels as this axis
// has elements.
void Extractor::along_channels(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || shape == nullptr || shape->empty()) return;
  if (!same_extents(*from, *shape)) return anything(node);
  const std::string& name = node.node().op;
  const PixelShape pixels = from->shape();
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  const Int fallback = name == "Softmax" ? 5 : name == "Gelu" ? 8 : 7;
  op.function.kind = name == "Softmax" ? FunctionKind::softmax
                     : name == "Gelu"  ? FunctionKind::table
                                       : FunctionKind::layer_norm;
  if (name == "Gelu") {
    op.function.table = "gelu";
  } else {
    const Int rank = static_cast<Int>(shape->size());
    const Int axis = node.integer("axis", -1);
    const bool last = (axis == -1 || axis == rank - 1) && from->axes.back().along == Along::channels;
    if (last) op.function.groups = pixels.channels / shape->back();
    if (last) run_numbers(node, shape->back());
    if (!last) op.function.kind = FunctionKind::unknown;
  }
  read(op, *from, {1, 0, 1});
  read_pixels(op, *from, {1, 0, 1});
  op.in_channels = pixels.channels;
  op.row_in = pixels.row();
  charge(node, op, name, operations(name, fallback) * pixels.row(), {pixels.row(), pixels.row(), true});
  finish(node, std::move(op), 0, along_of(*from), *shape);
}

void Extractor::concat(NodeView& node) {
  const Shape* shape = output_shape(node);
  if (shape == nullptr) return;
  const auto axis = node.axis(node.integer("axis", 0), shape->size());
  if (!axis) return;
  const Source& first = first_source(node);
  if (first.axes.size() != shape->size()) return node.fail("tensors of different ranks");
  const std::vector<Along> along = along_of(first);
  const PixelShape made = plain_source(0, *shape, along).made;
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  const bool rows = along[*axis] == Along::rows;
  const bool channels = along[*axis] == Along::channels;
  op.function.kind = rows       ? FunctionKind::concat_rows
                     : channels ? FunctionKind::concat
                                : FunctionKind::unknown;
  Int before = 0;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Shape* part = known_shape(node, i);
    if (part == nullptr || part->size() != shape->size()) return node.fail("tensors of different ranks");
    const Source* operand = source(node, i);
    if (operand != nullptr) {
      const PixelShape pixels = operand->shape();
      chip::Need need = {1, 0, 1};
      if (rows) need = {1, -before, 1};
      if (!rows && !channels) need = {0, pixels.rows - 1, 1};
      read(op, *operand, need);
      if (channels) read_pixels(op, *operand, {1, 0, 1});
      op.row_in += rows ? 0 : pixels.row();
    } else if (rows && op.inputs.empty()) {
      op.function.constant_rows += (*part)[*axis];
    } else {
      op.function = {};  // programs support constant rows only before all activations
    }
    before += (*part)[*axis];
  }
  if (rows) op.row_in = made.row();
  if (op.function.constant_rows > 0) row_numbers(node);
  op.in_channels = first.shape().channels;
  finish(node, std::move(op), 0, along, *shape);
}

void Extractor::normalisation(NodeView& node) {
  const Source* from = source(node, 0);
  const Shape* shape = output_shape(node);
  if (from == nullptr || shape == nullptr) return;
  if (folded_into_array(node, 0)) {
    normalisation_numbers(node, *from);
    set_source(node, 0, *from);
    arrays_[node.output(0)] = true;
    return;
  }
  if (!same_extents(*from, *shape)) return anything(node);
  const PixelShape pixels = from->shape();
  chip::Operator op = begin(node, node.node().label, OperatorKind::alu);
  read(op, *from, {1, 0, 1});
  read_pixels(op, *from, {1, 0, 1});
  op.in_channels = pixels.channels;
  op.row_in = pixels.row();
  charge(node, op, "BatchNormalization", operations("BatchNormalization", 2) * pixels.row(),
         {pixels.row(), pixels.row(), false});
  finish(node, std::move(op), 0, along_of(*from), *shape);
}

}  // namespace nestor::io::chip_onnx
