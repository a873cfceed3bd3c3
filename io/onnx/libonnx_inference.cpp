#include "io/onnx/libonnx_inference.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

namespace nestor::io::onnx_import {
namespace {

// Operators for which libonnx neither divides by an attribute nor allocates memory in proportion to an
// attribute. Sorted.
constexpr std::array<std::string_view, 16> trusted = {"Compress",
                                                      "Einsum",
                                                      "EyeLike",
                                                      "GRU",
                                                      "GatherElements",
                                                      "GatherND",
                                                      "LSTM",
                                                      "MaxUnpool",
                                                      "NonMaxSuppression",
                                                      "NonZero",
                                                      "OneHot",
                                                      "RNN",
                                                      "RandomNormalLike",
                                                      "RandomUniformLike",
                                                      "Scatter",
                                                      "Unique"};
static_assert(std::is_sorted(trusted.begin(), trusted.end()));

Int newest_opset() {
  const auto& ranges = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = ranges.find("");
  return range == ranges.end() ? 0 : range->second.second;
}

void describe_type(const Tensor& tensor, ::onnx::TypeProto& type) {
  type.mutable_tensor_type()->set_elem_type(tensor.type);
  if (!tensor.shape) return;
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const Int extent : *tensor.shape) {
    auto& dim = *shape.add_dim();
    if (extent != unknown_dim) dim.set_dim_value(extent);
  }
}

void add_value(const Tensor& tensor, const std::string& name, ::onnx::GraphProto& graph) {
  if (!tensor.value || tensor.value->real || tensor.type != int64_type || !tensor.shape) return;
  auto& initializer = *graph.add_initializer();
  initializer.set_name(name);
  initializer.set_data_type(tensor.type);
  for (const Int extent : *tensor.shape) initializer.add_dims(extent);
  for (const Int value : tensor.value->integers) initializer.add_int64_data(value);
}

// Returns a model of this node alone. Attributes that are graphs are omitted.
::onnx::ModelProto model_of(const Graph& graph, const Node& node, Int opset) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  auto& alone = *model.mutable_graph();
  auto& copy = *alone.add_node();
  copy.set_op_type(node.op);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == no_tensor) {
      copy.add_input("");
      continue;
    }
    const std::string name = fmt::format("in{}", i);
    copy.add_input(name);
    auto& info = *alone.add_input();
    info.set_name(name);
    describe_type(graph.tensors[node.inputs[i]], *info.mutable_type());
    add_value(graph.tensors[node.inputs[i]], name, alone);
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) copy.add_output(fmt::format("out{}", i));
  for (const Attribute& attribute : node.attributes) {
    if (attribute.proto->has_g() || attribute.proto->graphs_size() > 0) continue;
    *copy.add_attribute() = *attribute.proto;
    copy.mutable_attribute()->rbegin()->set_name(std::string(attribute.name));
  }
  return model;
}

void take_result(const ::onnx::ValueInfoProto& info, Tensor& tensor) {
  if (!info.type().has_tensor_type()) return;
  tensor.type = info.type().tensor_type().elem_type();
  if (!info.type().tensor_type().has_shape()) return;
  Shape shape;
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    shape.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : unknown_dim);
  }
  if (!fully_known(shape) || element_count(shape)) tensor.shape = std::move(shape);
}

// Returns a model of the node alone with its inferred outputs; nothing if libonnx rejects the node.
std::optional<::onnx::ModelProto> inferred_model(const Graph& graph, const Node& node) {
  try {
    static const Int newest = newest_opset();
    auto model = model_of(graph, node, std::min(node.opset, newest));
    ::onnx::shape_inference::InferShapes(model);
    return model;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void infer_with_libonnx(Graph& graph, const Node& node) {
  constexpr std::size_t most_operands = 64;
  if (!std::binary_search(trusted.begin(), trusted.end(), std::string_view(node.op))) return;
  if (node.inputs.size() > most_operands || node.outputs.size() > most_operands || node.opset < 1) return;
  const auto model = inferred_model(graph, node);
  if (!model) return;
  for (const auto& info : model->graph().value_info()) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != no_tensor && info.name() == fmt::format("out{}", i)) {
        take_result(info, graph.tensors[node.outputs[i]]);
      }
    }
  }
}

}  // namespace nestor::io::onnx_import
