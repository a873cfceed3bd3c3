// Conversion of the constants of a node to the numbers of its chip operator: a matrix in the order of the
// crossbars, biases and scales. Constants of a normalisation are folded into the previous operator.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "io/onnx/chip/extractor.h"

namespace nestor::io::chip_onnx {

using onnx_import::no_tensor;

namespace {

TensorId input_of(const NodeView& node, std::size_t at) {
  return at < node.input_count() ? node.node().inputs[at] : no_tensor;
}

double attribute_of(const NodeView& node, std::string_view name, double fallback) {
  const auto* found = node.find(name);
  return found == nullptr ? fallback : static_cast<double>(found->f());
}

bool is_quantised(const NodeView& node) { return node.node().op.starts_with("QLinear"); }

}  // namespace

// Sets the matrix, scales and bias of a convolution. The rows of the matrix are in the order (ky, kx, c); the
// weights have the shape [M, C / G, kernel].
void Extractor::convolution_numbers(NodeView& node, chip::Operator& op, TensorId weight) {
  if (!constants_) return;
  auto found = constants_->weights(weight);
  if (!found) return;
  const bool integers = node.node().op == "ConvInteger";
  if (is_quantised(node) &&
      !constants_->state(*found, input_of(node, 4), input_of(node, 5), graph_.tensors[weight].type, 0))
    return;
  if (integers && !constants_->state(*found, no_tensor, input_of(node, 3), graph_.tensors[weight].type, 0))
    return;
  const auto& [rows, columns, groups] = op.matrix;
  const Int area = op.function.kernel[0] * op.function.kernel[1];
  const Int depth = rows / area;
  if (static_cast<Int>(found->values.size()) != rows * columns * groups)
    return constants_->fail("the number of weights does not match its kernel");
  numbers_.matrix.resize(found->values.size());
  for (Int m = 0; m < columns * groups; ++m)
    for (Int c = 0; c < depth; ++c)
      for (Int tap = 0; tap < area; ++tap)
        numbers_.matrix[static_cast<std::size_t>((m / columns * rows + tap * depth + c) * columns +
                                                 m % columns)] =
            found->values[static_cast<std::size_t>((m * depth + c) * area + tap)];
  weight_scales(*found, 0);
  const TensorId bias = integers ? no_tensor : input_of(node, is_quantised(node) ? 8 : 2);
  if (bias == no_tensor) return;
  const auto values = constants_->reals(bias);
  if (!values) return;
  if (static_cast<Int>(values->size()) != columns * groups)
    return constants_->fail("its bias does not have one value per output channel");
  numbers_.bias = *values;
  if (!is_quantised(node)) return;
  const auto scale = constants_->scalar(input_of(node, 1));
  if (!scale) return;
  for (std::size_t i = 0; i < numbers_.bias.size(); ++i)
    numbers_.bias[i] *= *scale * numbers_.weight_scales[numbers_.weight_scales.size() == 1 ? 0 : i];
}

// Sets the scales and the zero point of the weights. An operator has one zero point; several scales must
// belong to its output channels.
void Extractor::weight_scales(const Constants::Weights& weights, std::size_t channel_axis) {
  if (weights.scales.empty()) return;
  if (weights.scales.size() > 1 && weights.axis != channel_axis)
    return constants_->fail("the scales of its weights are not per output channel");
  if (!std::all_of(weights.zeros.begin(), weights.zeros.end(), [&](Int z) { return z == weights.zeros[0]; }))
    return constants_->fail("weights with several zero points");
  numbers_.weight_scales = weights.scales;
  numbers_.weight_zero = weights.zeros.front();
}

void Extractor::product_numbers(NodeView& node, const chip::Operator& op, const Source& left, TensorId weight,
                                bool whole) {
  if (!constants_) return;
  auto found = constants_->weights(weight);
  if (!found) return;
  const std::string& type = node.node().op;
  const std::int32_t stored = graph_.tensors[weight].type;
  const std::size_t rank = found->shape.size();
  if (is_quantised(node) &&
      !constants_->state(*found, input_of(node, 4), input_of(node, 5), stored, rank - 1))
    return;
  if (type == "MatMulInteger" && !constants_->state(*found, no_tensor, input_of(node, 3), stored, rank - 1))
    return;
  const Int depth = op.matrix.rows;
  const Int columns = op.matrix.columns;
  if (static_cast<Int>(found->values.size()) != depth * columns)
    return constants_->fail("the number of weights does not match its factor");
  const bool turned = type == "Gemm" && node.integer("transB", 0) != 0;
  const double alpha = type == "Gemm" ? attribute_of(node, "alpha", 1) : 1;
  // Weights for a flattened image are in the order of the file, which may differ from the order of the chip.
  std::vector<Int> places;
  if (whole) {
    if (left.flat.empty()) return constants_->fail("a product of elements in an unknown order");
    chip::TensorLayout layout;
    layout.first = left.first;
    for (const Axis& axis : left.flat) layout.axes.push_back({axis.extent, axis.stride});
    places = layout.places();
  }
  numbers_.matrix.resize(found->values.size());
  for (Int k = 0; k < depth; ++k) {
    const Int row = places.empty() ? k : places[static_cast<std::size_t>(k)];
    for (Int n = 0; n < columns; ++n)
      numbers_.matrix[static_cast<std::size_t>(row * columns + n)] =
          found->values[static_cast<std::size_t>(turned ? n * depth + k : k * columns + n)] *
          (found->scales.empty() ? alpha : 1);
  }
  if (alpha != 1)
    for (double& scale : found->scales) scale *= alpha;
  weight_scales(*found, turned ? 0 : rank - 1);
  if (type != "Gemm" || input_of(node, 2) == no_tensor) return;
  const auto bias = constants_->reals(input_of(node, 2));
  if (!bias) return;
  if (bias->size() != 1 && static_cast<Int>(bias->size()) != columns)
    return constants_->fail("its bias does not have one value per output channel");
  numbers_.bias.resize(static_cast<std::size_t>(columns));
  for (std::size_t n = 0; n < numbers_.bias.size(); ++n)
    numbers_.bias[n] = attribute_of(node, "beta", 1) * (*bias)[bias->size() == 1 ? 0 : n];
}

void Extractor::bias_numbers(const Source& of, TensorId bias) {
  if (!constants_) return;
  const auto values = constants_->reals(bias);
  if (!values) return;
  auto& numbers = model_.operators[network_.producer(of.tensor)];
  const auto channels = static_cast<std::size_t>(network_.operators[network_.producer(of.tensor)].channels);
  numbers.bias.resize(channels);
  for (std::size_t n = 0; n < channels; ++n) numbers.bias[n] += (*values)[values->size() == 1 ? 0 : n];
}

// Folds (x - mean) / sqrt(var + epsilon) * scale + shift into the matrix and bias of the previous operator.
void Extractor::normalisation_numbers(NodeView& node, const Source& of) {
  if (!constants_) return;
  std::vector<double> values[4];
  const std::size_t op = network_.producer(of.tensor);
  const auto& matrix = network_.operators[op].matrix;
  const auto channels = static_cast<std::size_t>(network_.operators[op].channels);
  for (std::size_t i = 0; i < 4; ++i) {
    auto found = input_of(node, i + 1) == no_tensor ? std::nullopt : constants_->reals(input_of(node, i + 1));
    if (!found) return;
    if (found->size() != channels)
      return constants_->fail("a normalisation with a different number of channels");
    values[i] = std::move(*found);
  }
  const auto& [scale, shift, mean, variance] = values;
  auto& numbers = model_.operators[op];
  numbers.bias.resize(channels);
  const double epsilon = attribute_of(node, "epsilon", 1e-5F);
  std::vector<double> by(channels);
  for (std::size_t n = 0; n < channels; ++n) {
    if (!(variance[n] + epsilon > 0)) return constants_->fail("a variance is not positive");
    by[n] = scale[n] / std::sqrt(variance[n] + epsilon);
    numbers.bias[n] = (numbers.bias[n] - mean[n]) * by[n] + shift[n];
  }
  if (!numbers.weight_scales.empty()) {
    if (numbers.weight_scales.size() == 1) numbers.weight_scales.assign(channels, numbers.weight_scales[0]);
    for (std::size_t n = 0; n < channels; ++n) numbers.weight_scales[n] *= by[n];
    return;
  }
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const auto rows = static_cast<std::size_t>(matrix.rows);
  for (std::size_t i = 0; i < numbers.matrix.size(); ++i)
    numbers.matrix[i] *= by[i / (rows * columns) * columns + i % columns];
}

// Sets the parameters of a function that maps each element separately (Clip, LeakyRelu, HardSigmoid), in the
// order that sim/chip/real_run expects.
void Extractor::unary_numbers(NodeView& node) {
  if (!constants_) return;
  const std::string& op = node.node().op;
  if (op == "Clip") {
    const auto limit = [&](std::size_t at, const char* name, double fallback) {
      if (input_of(node, at) == no_tensor) return attribute_of(node, name, fallback);
      const auto found = constants_->scalar(input_of(node, at));
      if (!found) constants_->fail("its limits are not in the file");
      return found.value_or(0);
    };
    numbers_.parameters = {limit(1, "min", -HUGE_VAL), limit(2, "max", HUGE_VAL)};
  }
  if (op == "LeakyRelu") numbers_.parameters = {attribute_of(node, "alpha", 0.01F)};
  if (op == "HardSigmoid")
    numbers_.parameters = {attribute_of(node, "alpha", 0.2F), attribute_of(node, "beta", 0.5F)};
}

// If one operand of an Add, Sub, Mul or Div is a constant with a single value, converts the operator to a
// function of the other operand, with the constant as its parameter.
void Extractor::constant_operand(NodeView& node, chip::Operator& op) {
  if (!constants_ || node.input_count() != 2 || activations(node) != 1) return;
  const std::string& name = node.node().op;
  const std::size_t at = source(node, 0) == nullptr ? 0 : 1;
  if (name != "Add" && name != "Sub" && name != "Mul" && name != "Div") return;
  auto values = constants_->reals(node.node().inputs[at]);
  if (!values || values->size() != 1) return;
  op.function.kind = FunctionKind::table;
  op.function.table = name == "Add" ? "add" : name == "Mul" ? "mul" : name == "Sub" ? "sub" : "div";
  if (at == 0 && name == "Sub") op.function.table = "from";
  if (at == 0 && name == "Div") op.function.table = "over";
  numbers_.parameters = *values;
}

void Extractor::pool_numbers(NodeView& node) {
  if (constants_ && node.integer("count_include_pad", 0) != 0) numbers_.parameters = {1};
}

void Extractor::run_numbers(NodeView& node, Int run) {
  if (!constants_ || node.node().op != "LayerNormalization") return;
  numbers_.parameters = {attribute_of(node, "epsilon", 1e-5F)};
  numbers_.gamma.assign(static_cast<std::size_t>(run), 1);
  numbers_.beta.assign(static_cast<std::size_t>(run), 0);
  for (const std::size_t at : {1U, 2U}) {
    if (input_of(node, at) == no_tensor) continue;
    const auto found = constants_->reals(input_of(node, at));
    if (!found) return;
    if (static_cast<Int>(found->size()) != run)
      return constants_->fail("its scale or bias does not have one value per channel");
    (at == 1 ? numbers_.gamma : numbers_.beta) = *found;
  }
}

// Sets the rows of constants that precede the activations.
void Extractor::row_numbers(const NodeView& node) {
  if (!constants_) return;
  for (std::size_t i = 0; i < node.input_count() && source(node, i) == nullptr; ++i) {
    const auto found = constants_->reals(node.node().inputs[i]);
    if (!found) return;
    numbers_.constant.insert(numbers_.constant.end(), found->begin(), found->end());
  }
}

void Extractor::state_format(const Source& of, TensorId scale, TensorId zero, std::int32_t type) {
  const auto found = constants_->format(scale, zero, type);
  if (!found) return;
  model_.formats.resize(std::max(model_.formats.size(), of.tensor + 1));
  auto& format = model_.formats[of.tensor];
  if (format && !(*format == *found)) return constants_->fail("an activation is quantised in two ways");
  format = *found;
}

// Sets the scales and zero points that a node specifies for its activations.
void Extractor::stated_formats(NodeView& node) {
  const std::string& op = node.node().op;
  const auto stated = [&](std::size_t input, std::size_t scale) {
    if (const Source* from = source(node, input))
      state_format(*from, input_of(node, scale), input_of(node, scale + 1),
                   graph_.tensors[node.node().inputs[input]].type);
  };
  const auto made = [&](std::size_t scale) {
    const TensorId id = node.output(0);
    if (id != no_tensor && sources_[id])
      state_format(*sources_[id], input_of(node, scale), input_of(node, scale + 1), graph_.tensors[id].type);
  };
  if (op == "QuantizeLinear") made(1);
  if (op == "DequantizeLinear") stated(0, 1);
  if (op == "QLinearConv" || op == "QLinearMatMul") {
    stated(0, 1);
    if (op == "QLinearMatMul") stated(3, 4);
    made(6);
  }
}

std::optional<chip::TensorLayout> Extractor::layout_of(TensorId id) const {
  if (!sources_[id]) return std::nullopt;
  const Source& from = *sources_[id];
  if (from.scrambled && from.flat.empty()) return std::nullopt;
  chip::TensorLayout layout;
  layout.tensor = from.tensor;
  layout.first = from.first;
  layout.dims = *graph_.tensors[id].shape;
  for (const Axis& axis : from.scrambled ? from.flat : from.axes)
    layout.axes.push_back({axis.extent, axis.stride});
  return layout;
}

void Extractor::finish_numbers() {
  model_.formats.resize(network_.tensors());
  for (std::size_t i = 0; i < network_.operators.size(); ++i)
    model_.has_data = model_.has_data || !model_.operators[i].matrix.empty();
  if (!model_.has_data) return;
  if (!constants_->absent().empty())
    return constants_->fail(
        fmt::format("the file has weights, but '{}' is described without its data", constants_->absent()));
  const auto& graph = graph_.model->graph();
  for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
    if (!sources_[id]) continue;
    const auto& name = graph_.tensors[id].name;
    if (sources_[id]->tensor == 0 && graph_.tensors[id].given && !model_.input) model_.input = layout_of(id);
    if (graph.output_size() > 0 && name == graph.output(0).name()) model_.output = layout_of(id);
  }
}

}  // namespace nestor::io::chip_onnx
