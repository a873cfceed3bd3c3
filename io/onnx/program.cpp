#include "io/onnx/program.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/tables/hash_table.h"
#include "io/onnx/node_view.h"
#include "io/onnx/numbered_names.h"

namespace nestor::io::onnx_import {
namespace {

constexpr std::array<std::string_view, 6> views = {"Flatten",   "Reshape",  "Squeeze",
                                                   "Unsqueeze", "Identity", "Dropout"};

class ProgramExtractor {
 public:
  ProgramExtractor(Graph& graph, const ElementChoice& choice)
      : graph_(graph), choice_(choice), value_(graph.tensors.size(), none), weight_(graph.tensors.size()) {}

  Result<cnm::KernelProgram> run();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void find_weights();
  std::optional<std::size_t> value_of(NodeView& node, TensorId tensor);
  void add_node(const Node& node, NodeView& view);

  Graph& graph_;
  const ElementChoice& choice_;
  std::vector<std::size_t> value_;  ///< index of the value of each tensor, or none
  std::vector<bool> weight_;        ///< true for the tensors that are initializers or computed from constants
  cnm::KernelProgram program_;
  NumberedNames names_, operation_names_;
};

void ProgramExtractor::find_weights() {
  HashMap<std::string, bool> initialized;
  for (const auto& tensor : graph_.model->graph().initializer()) initialized.emplace(tensor.name(), true);
  for (const auto& tensor : graph_.model->graph().sparse_initializer())
    initialized.emplace(tensor.values().name(), true);
  for (TensorId t = 0; t < graph_.tensors.size(); ++t)
    weight_[t] = (graph_.tensors[t].given && initialized.contains(graph_.tensors[t].name)) ||
                 (graph_.tensors[t].value.has_value() && !graph_.tensors[t].given);
}

// Returns the index of a tensor's value, and creates the value if there is none yet.
std::optional<std::size_t> ProgramExtractor::value_of(NodeView& node, TensorId id) {
  if (value_[id] != none) return value_[id];
  const Tensor& tensor = graph_.tensors[id];
  const auto type = element_of(tensor, weight_[id], choice_);
  auto bytes = tensor.shape && fully_known(*tensor.shape) ? element_count(*tensor.shape) : std::nullopt;
  if (bytes && type) bytes = checked_multiply(*bytes, cnm::bytes_of(*type));
  if (!type || !bytes || *bytes < 0 || *bytes > cnm::max_count) {
    node.fail(fmt::format(
        "the shape and type of '{}' are not known; add them to the file (value_info) or export with fixed "
        "shapes",
        tensor.name));
    return std::nullopt;
  }
  cnm::ProgramValue value;
  value.name = names_.take(printable(tensor.name));
  value.bytes = *bytes;
  value.type = fmt::format("{}{}{}", fmt::join(*tensor.shape, "x"), tensor.shape->empty() ? "" : "x",
                           cnm::element_types.word(*type));
  value_[id] = program_.values.size();
  program_.values.push_back(std::move(value));
  if (weight_[id])
    program_.constants.push_back(value_[id]);
  else if (tensor.given)
    program_.inputs.push_back(value_[id]);
  return value_[id];
}

void ProgramExtractor::add_node(const Node& node, NodeView& view) {
  // Shapes that the graph itself computes are already known.
  if (std::all_of(node.outputs.begin(), node.outputs.end(),
                  [&](TensorId t) { return t == no_tensor || weight_[t]; }))
    return;
  const bool constant_inputs = std::all_of(node.inputs.begin(), node.inputs.end(),
                                           [&](TensorId t) { return t == no_tensor || weight_[t]; });
  if (node.op == "Constant" || (constant_inputs && !node.inputs.empty())) {
    for (const TensorId t : node.outputs)
      if (t != no_tensor) weight_[t] = true;
    return;
  }
  if (std::find(views.begin(), views.end(), node.op) != views.end() && !node.inputs.empty() &&
      node.inputs[0] != no_tensor && !node.outputs.empty() && node.outputs[0] != no_tensor) {
    if (const auto source = value_of(view, node.inputs[0])) value_[node.outputs[0]] = *source;
    return;
  }
  auto kernel = kernel_of_node(view, weight_, choice_);
  if (view.failed()) return;
  cnm::ProgramOperation operation;
  operation.name = operation_names_.take(node.label);
  std::vector<TensorId> read = node.inputs;
  if (kernel) {
    kernel->kernel.name = operation.name;
    for (const TensorId t : kernel->inputs)
      if (const auto value = value_of(view, t)) operation.operands.push_back(*value);
    // The operation reads the kernel's inputs and the bias of a convolution or Gemm. It does not read
    // constants in the region, or inputs of a normalisation that are folded into other inputs.
    read = kernel->inputs;
    if ((node.op == "Conv" || node.op == "Gemm") && node.inputs.size() > 2 && node.inputs[2] != no_tensor)
      read.push_back(node.inputs[2]);
    operation.pads = std::move(kernel->pads);
    operation.kernel = std::move(kernel->kernel);
  } else {
    operation.host = node.op;
  }
  for (const TensorId t : read) {
    if (t == no_tensor) continue;
    const auto value = value_of(view, t);
    if (!value) return;
    if (std::find(operation.reads.begin(), operation.reads.end(), *value) == operation.reads.end())
      operation.reads.push_back(*value);
  }
  for (const TensorId t : node.outputs) {
    if (t == no_tensor) continue;
    // An unused output, such as the mask of a dropout, may lack a shape.
    if (graph_.users[t].empty() && t != node.outputs[0] && !graph_.tensors[t].shape) continue;
    const auto value = value_of(view, t);
    if (!value) return;
    operation.writes.push_back(*value);
  }
  if (operation.kernel && !operation.writes.empty()) operation.operands.push_back(operation.writes[0]);
  program_.operations.push_back(std::move(operation));
}

Result<cnm::KernelProgram> ProgramExtractor::run() {
  find_weights();
  for (const Node& node : graph_.nodes) {
    NodeView view(graph_, node);
    add_node(node, view);
    if (auto failed = view.failure()) return *failed;
  }
  if (program_.operations.empty())
    return input_error({graph_.file}, "expected an operator that computes something, found none");
  HashMap<std::string, TensorId> by_name;
  for (TensorId t = 0; t < graph_.tensors.size(); ++t) by_name.emplace(graph_.tensors[t].name, t);
  for (const auto& output : graph_.model->graph().output()) {
    const auto known = by_name.find(output.name());
    if (known == by_name.end() || value_[known->second] == none || graph_.tensors[known->second].given)
      continue;
    const auto value = value_[known->second];
    const auto& made = program_.outputs;
    if (std::find(made.begin(), made.end(), value) == made.end()) program_.outputs.push_back(value);
  }
  return std::move(program_);
}

}  // namespace

Result<cnm::KernelProgram> extract_program(Graph& graph, const ElementChoice& choice) {
  return ProgramExtractor(graph, choice).run();
}

}  // namespace nestor::io::onnx_import
