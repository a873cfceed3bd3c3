#include "io/onnx/chip/extractor.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/tables/hash_table.h"
#include "io/onnx/quantisation.h"

namespace nestor::io::chip_onnx {

using onnx_import::element_count;
using onnx_import::fully_known;
using onnx_import::no_tensor;
using onnx_import::Tensor;

const Source* Extractor::source(const NodeView& node, std::size_t input) const {
  if (input >= node.input_count()) return nullptr;
  const TensorId id = node.node().inputs[input];
  return id == no_tensor || !sources_[id] ? nullptr : &*sources_[id];
}

const Source& Extractor::first_source(const NodeView& node) const {
  for (std::size_t i = 0;; ++i)
    if (const Source* found = source(node, i)) return *found;
}

std::size_t Extractor::activations(const NodeView& node) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < node.input_count(); ++i) count += source(node, i) != nullptr ? 1U : 0U;
  return count;
}

const Shape* Extractor::known_shape(NodeView& node, std::size_t input) {
  const Tensor* tensor = node.required(input);
  if (tensor == nullptr) return nullptr;
  if (tensor->shape && fully_known(*tensor->shape)) return &*tensor->shape;
  node.fail(fmt::format(
      "the shape of '{}' is not known; add it to the file (value_info) or export with fixed shapes",
      tensor->name));
  return nullptr;
}

const Shape* Extractor::output_shape(NodeView& node, std::size_t output) {
  const TensorId id = node.output(output);
  if (id == no_tensor) return nullptr;
  const Tensor& tensor = graph_.tensors[id];
  if (tensor.shape && fully_known(*tensor.shape)) {
    const auto count = element_count(*tensor.shape);
    if (count && *count > 0 && *count <= largest_tensor) return &*tensor.shape;
    node.fail(fmt::format("its result has the shape {}; expected 1 to 2^40 elements",
                          onnx_import::to_string(*tensor.shape)));
    return nullptr;
  }
  node.fail(fmt::format(
      "the shape of '{}' is not known; add it to the file (value_info) or export with fixed shapes",
      tensor.name));
  return nullptr;
}

Int Extractor::operations(std::string_view op, Int fallback) const {
  for (const auto& [name, count] : machine_.alu_ops) {
    if (name == op) return count;
  }
  return fallback;
}

void Extractor::charge(NodeView& node, chip::Operator& op, std::string_view type, Int usual,
                       const chip::DigitalWork& work) const {
  op.alu_ops = usual;
  if (!machine_.functions) return;
  const auto found = chip::lower(machine_, type, work);
  if (const auto* lacks = std::get_if<std::string>(&found)) return node.fail(*lacks);
  op.alu_ops = std::get<chip::Lowering>(found).operations;
  op.calls = std::get<chip::Lowering>(found).calls;
}

chip::Operator Extractor::begin(const NodeView& node, const std::string& name,
                                chip::OperatorKind kind) const {
  chip::Operator op;
  op.name = name;
  op.kind = kind;
  op.bits = network_.bits;
  TensorId input = no_tensor;
  for (std::size_t i = 0; i < node.input_count() && input == no_tensor; ++i) {
    if (source(node, i) != nullptr) input = node.node().inputs[i];
  }
  const BitWidths widths = bits_ ? *bits_ : onnx_import::bits_of(graph_, input, no_tensor, node.output(0));
  op.bits = {widths.input, widths.weight, widths.output};
  return op;
}

void Extractor::read(chip::Operator& op, const Source& from, const chip::Need& outer, bool gated) {
  op.inputs.push_back({from.tensor, gated ? chip::Need{} : composed(outer, from.need()), gated});
  const auto view = from.view();
  if (view) {
    op.function.views.resize(op.inputs.size());
    op.function.views.back() = *view;
  } else if (op.function.kind != FunctionKind::unknown) {
    op.function = {};  // no program can read the input in this order, so the operator is only timed
  }
}

void Extractor::read_pixels(chip::Operator& op, const Source& from, const chip::Need& outer) {
  if (from.keeps_pixels()) op.inputs.back().pixels = outer;
}

void Extractor::finish(NodeView& node, chip::Operator op, std::size_t output, const std::vector<Along>& along,
                       const Shape& shape) {
  if (node.failed()) return;
  Source made = plain_source(network_.tensors(), shape, along);
  op.name = names_.take(op.name);
  op.rows = made.made.rows;
  op.width = made.made.width;
  op.channels = made.made.channels;
  if (op.function.kind == FunctionKind::unknown) op.function = {};
  const bool plain = std::all_of(op.function.views.begin(), op.function.views.end(),
                                 [](const chip::View& view) { return view == chip::View{}; });
  if (plain) op.function.views.clear();
  set_source(node, output, std::move(made));
  network_.operators.push_back(std::move(op));
  model_.operators.push_back(std::move(numbers_));
  numbers_ = {};
}

void Extractor::set_source(const NodeView& node, std::size_t output, Source made) {
  const TensorId id = node.output(output);
  if (id != no_tensor) sources_[id] = std::move(made);
}

// True if input `activation` is the result of an array operator that no other node reads. Then a constant per
// channel can be folded into the array operator.
bool Extractor::folded_into_array(const NodeView& node, std::size_t activation) const {
  const TensorId id = node.node().inputs[activation];
  return arrays_[id] && graph_.users[id].size() == 1;
}

// True if the node is an embedding: the lookup of a graph input in a constant table. It happens outside the
// chip, so its result becomes the chip's input.
bool Extractor::is_lookup(const onnx_import::Node& node) const {
  if (node.op != "Gather" || node.inputs.size() < 2 || node.inputs[0] == no_tensor ||
      node.inputs[1] == no_tensor) {
    return false;
  }
  const Tensor& table = graph_.tensors[node.inputs[0]];
  const Tensor& index = graph_.tensors[node.inputs[1]];
  return table.given && index.given && index.type == onnx_import::int64_type && !index.value;
}

void Extractor::take_input(TensorId id) {
  const Tensor& tensor = graph_.tensors[id];
  if (!tensor.shape || !fully_known(*tensor.shape)) return;
  const auto count = element_count(*tensor.shape);
  if (!count || *count < 1 || *count > largest_tensor) return;
  Source made = plain_source(network_.inputs.size(), *tensor.shape, usual_axes(tensor.shape->size()));
  network_.inputs.push_back({names_.take(tensor.name), made.made.rows, made.made.width, made.made.channels});
  sources_[id] = std::move(made);
}

// Adds the inputs of the chip: graph inputs that are read as activations, and the results of embeddings.
void Extractor::take_inputs() {
  HashSet<std::string_view> listed;
  for (const auto& input : graph_.model->graph().input()) listed.insert(input.name());
  for (const auto& stored : graph_.model->graph().initializer()) listed.erase(stored.name());
  for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
    const auto looks_up = [&](std::size_t user) { return is_lookup(graph_.nodes[user]); };
    const auto& users = graph_.users[id];
    const bool activation = graph_.tensors[id].given && listed.contains(graph_.tensors[id].name);
    if (activation && !std::all_of(users.begin(), users.end(), looks_up)) take_input(id);
  }
  for (const auto& node : graph_.nodes) {
    if (is_lookup(node) && !node.outputs.empty() && node.outputs[0] != no_tensor) take_input(node.outputs[0]);
  }
}

Extractor::Rule Extractor::rule_of(std::string_view op) {
  using E = Extractor;
  static constexpr std::array<std::pair<std::string_view, Rule>, 32> rules = {{
      {"Conv", &E::convolution},
      {"ConvInteger", &E::convolution},
      {"QLinearConv", &E::quantised_convolution},
      {"Gemm", &E::gemm},
      {"MatMul", &E::matrix_product},
      {"MatMulInteger", &E::matrix_product},
      {"QLinearMatMul", &E::quantised_matrix_product},
      {"Attention", &E::attention},
      {"MaxPool", &E::pool},
      {"AveragePool", &E::pool},
      {"GlobalAveragePool", &E::global_pool},
      {"GlobalMaxPool", &E::global_pool},
      {"Softmax", &E::along_channels},
      {"LayerNormalization", &E::along_channels},
      {"Gelu", &E::along_channels},
      {"Concat", &E::concat},
      {"BatchNormalization", &E::normalisation},
      {"Reshape", &E::reshape},
      {"Flatten", &E::reshape},
      {"Squeeze", &E::reshape},
      {"Unsqueeze", &E::reshape},
      {"Transpose", &E::transpose},
      {"Identity", &E::copy},
      {"Cast", &E::copy},
      {"CastLike", &E::copy},
      {"Dropout", &E::copy},
      {"QuantizeLinear", &E::copy},
      {"DequantizeLinear", &E::copy},
      {"DynamicQuantizeLinear", &E::copy},
      {"Slice", &E::slice},
      {"Gather", &E::gather},
      {"Split", &E::split},
  }};
  for (const auto& [name, rule] : rules) {
    if (name == op) return rule;
  }
  return nullptr;
}

// True for operator types that work element by element.
bool is_elementwise(std::string_view op) {
  static constexpr std::array<std::string_view, 73> types = {"Abs",
                                                             "Acos",
                                                             "Acosh",
                                                             "Add",
                                                             "And",
                                                             "Asin",
                                                             "Asinh",
                                                             "Atan",
                                                             "Atanh",
                                                             "BiasGelu",
                                                             "BitShift",
                                                             "BitwiseAnd",
                                                             "BitwiseNot",
                                                             "BitwiseOr",
                                                             "BitwiseXor",
                                                             "Ceil",
                                                             "Celu",
                                                             "Clip",
                                                             "Cos",
                                                             "Cosh",
                                                             "Div",
                                                             "Elu",
                                                             "Equal",
                                                             "Erf",
                                                             "Exp",
                                                             "FastGelu",
                                                             "Floor",
                                                             "Greater",
                                                             "GreaterOrEqual",
                                                             "HardSigmoid",
                                                             "HardSwish",
                                                             "IsInf",
                                                             "IsNaN",
                                                             "LeakyRelu",
                                                             "Less",
                                                             "LessOrEqual",
                                                             "Log",
                                                             "Max",
                                                             "Mean",
                                                             "Min",
                                                             "Mish",
                                                             "Mod",
                                                             "Mul",
                                                             "Neg",
                                                             "Not",
                                                             "Or",
                                                             "PRelu",
                                                             "Pow",
                                                             "QLinearAdd",
                                                             "QLinearLeakyRelu",
                                                             "QLinearMul",
                                                             "QLinearSigmoid",
                                                             "QuickGelu",
                                                             "Reciprocal",
                                                             "Relu",
                                                             "Round",
                                                             "Selu",
                                                             "Shrink",
                                                             "Sigmoid",
                                                             "Sign",
                                                             "Sin",
                                                             "Sinh",
                                                             "Softplus",
                                                             "Softsign",
                                                             "Sqrt",
                                                             "Sub",
                                                             "Sum",
                                                             "Swish",
                                                             "Tan",
                                                             "Tanh",
                                                             "ThresholdedRelu",
                                                             "Where",
                                                             "Xor"};
  return std::find(types.begin(), types.end(), op) != types.end();
}

void Extractor::extract(NodeView& node) {
  const std::string& op = node.node().op;
  // Nodes that depend only on shapes or constants are computed when the model is read.
  if (activations(node) == 0 || op == "Shape" || op == "Size") return;
  if (node.output(0) != no_tensor && sources_[node.output(0)]) return;  // a lookup outside the chip
  if (op == "ConvTranspose" || op == "If" || op == "Loop" || op == "Scan") {
    return node.fail("it cannot run on crossbars; rewrite it or cut the model before it");
  }
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const TensorId id = node.output(i);
    if (id == no_tensor || (i > 0 && graph_.users[id].empty())) continue;
    if (output_shape(node, i) == nullptr) return;
  }
  numbers_ = {};
  const Rule rule = rule_of(op);
  if (rule != nullptr)
    (this->*rule)(node);
  else if (is_elementwise(op))
    elementwise(node);
  else
    unknown(node);
  if (constants_ && !node.failed()) stated_formats(node);
}

void Extractor::find_outputs() {
  boost::dynamic_bitset<> read(network_.inputs.size() + network_.operators.size());
  for (const auto& op : network_.operators) {
    for (const auto& input : op.inputs) read.set(input.tensor);
  }
  HashSet<std::string_view> results;
  for (const auto& output : graph_.model->graph().output()) results.insert(output.name());
  for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
    if (!sources_[id] || !results.contains(graph_.tensors[id].name)) continue;
    const std::size_t tensor = sources_[id]->tensor;
    if (!network_.is_input(tensor)) network_.outputs.push_back(network_.producer(tensor));
  }
  for (std::size_t i = 0; i < network_.operators.size(); ++i) {
    if (!read[network_.tensor_of(i)]) network_.outputs.push_back(i);
  }
  std::sort(network_.outputs.begin(), network_.outputs.end());
  network_.outputs.erase(std::unique(network_.outputs.begin(), network_.outputs.end()),
                         network_.outputs.end());
}

Result<chip::ChipNetwork> Extractor::run() {
  if (bits_) network_.bits = {bits_->input, bits_->weight, bits_->output};
  take_inputs();
  for (const auto& each : graph_.nodes) {
    NodeView node(graph_, each);
    extract(node);
    if (auto failed = node.failure()) return *failed;
    if (constants_ && !constants_->failure().empty()) {
      node.fail(constants_->failure());
      return *node.failure();
    }
  }
  if (network_.operators.empty()) {
    return input_error({graph_.file}, "no operator can run on a chip; are the weights listed as inputs?");
  }
  find_outputs();
  return std::move(network_);
}

Result<chip::ChipNetwork> Extractor::run(chip::RealModel& model) {
  constants_.emplace(graph_);
  auto network = run();
  if (!network) return network;
  network_ = *network;
  finish_numbers();
  if (!constants_->failure().empty()) return input_error({graph_.file}, constants_->failure());
  model = std::move(model_);
  return network;
}

}  // namespace nestor::io::chip_onnx
