#include "io/onnx/quantisation.h"

#include <algorithm>
#include <array>

namespace nestor::io::onnx_import {
namespace {

// Longest chain of nodes between an operator and the quantisation that applies to it.
constexpr int farthest = 16;

// Operators that neither change the bits per element nor mix tensors. The quantisation of their input and
// that of their output therefore agree. Sorted.
constexpr std::array<std::string_view, 21> transparent = {
    "AveragePool",       "Clip",          "DepthToSpace", "Dropout",   "Expand",  "Flatten",   "Gather",
    "GlobalAveragePool", "GlobalMaxPool", "Identity",     "LeakyRelu", "MaxPool", "Pad",       "Relu",
    "Reshape",           "Slice",         "SpaceToDepth", "Split",     "Squeeze", "Transpose", "Unsqueeze"};
static_assert(std::is_sorted(transparent.begin(), transparent.end()));

bool is_transparent(const std::string& op) {
  return std::binary_search(transparent.begin(), transparent.end(), std::string_view(op));
}

// Returns the width of an operand from the nearest quantised tensor among its producers.
std::optional<Int> source_bits(const Graph& graph, TensorId id) {
  for (int step = 0; step < farthest && id != no_tensor; ++step) {
    const Tensor& tensor = graph.tensors[id];
    if (const auto bits = quantised_bits(tensor.type)) return bits;
    if (tensor.producer < 0) return std::nullopt;
    const Node& node = graph.nodes[static_cast<std::size_t>(tensor.producer)];
    if (node.inputs.empty() || (node.op != "DequantizeLinear" && !is_transparent(node.op)))
      return std::nullopt;
    id = node.inputs[0];
  }
  return std::nullopt;
}

// True if the node adds a bias to tensor `id`. The result is then quantised after this addition.
bool adds_constant(const Graph& graph, const Node& node, TensorId id) {
  if (node.op != "Add" || node.inputs.size() != 2) return false;
  const TensorId other = node.inputs[0] == id ? node.inputs[1] : node.inputs[0];
  if (other == no_tensor || other == id) return false;
  const int producer = graph.tensors[other].producer;
  // A bias is a constant vector; a tensor with more dimensions may be another activation.
  if (producer < 0) return graph.tensors[other].shape && graph.tensors[other].shape->size() <= 1;
  const Node& maker = graph.nodes[static_cast<std::size_t>(producer)];
  if (maker.op == "Constant") return true;
  return maker.op == "DequantizeLinear" && !maker.inputs.empty() && maker.inputs[0] != no_tensor &&
         graph.tensors[maker.inputs[0]].producer < 0;
}

// Returns the width of a result from the nearest quantised tensor among its users.
std::optional<Int> sink_bits(const Graph& graph, TensorId id) {
  for (int step = 0; step < farthest && id != no_tensor; ++step) {
    if (const auto bits = quantised_bits(graph.tensors[id].type)) return bits;
    TensorId next = no_tensor;
    for (const std::size_t user : graph.users[id]) {
      const Node& node = graph.nodes[user];
      if (node.outputs.empty() || node.outputs[0] == no_tensor) continue;
      if (node.op == "QuantizeLinear") return quantised_bits(graph.tensors[node.outputs[0]].type);
      if (next == no_tensor && (is_transparent(node.op) || adds_constant(graph, node, id)))
        next = node.outputs[0];
    }
    id = next;
  }
  return std::nullopt;
}

}  // namespace

BitWidths bits_of(const Graph& graph, TensorId input, TensorId weight, TensorId output) {
  BitWidths bits;
  bits.input = source_bits(graph, input).value_or(bits.input);
  bits.weight = source_bits(graph, weight).value_or(bits.weight);
  bits.output = sink_bits(graph, output).value_or(bits.output);
  bits.partial_sum = std::max(bits.partial_sum, bits.output);
  return bits;
}

}  // namespace nestor::io::onnx_import
