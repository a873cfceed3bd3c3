#include "io/onnx/graph.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <limits>
#include <map>
#include <optional>

#include "base/tables/hash_table.h"
#include "io/onnx/constant_reader.h"
#include "io/onnx/execution_order.h"
#include "io/onnx/functions.h"
#include "io/onnx/symbols.h"

namespace nestor::io::onnx_import {
namespace {

// Limits far above real models (tens of thousands of nodes). Functions that each call another function twice
// reach them quickly.
constexpr std::size_t most_nodes = 200'000;
constexpr std::size_t most_references = 1'000'000;
constexpr std::size_t deepest_call = 64;
constexpr std::size_t longest_name = 200;

// Names are copied once per inlined call, so the file must not determine their length.
std::string clipped(std::string_view name) {
  if (name.size() <= longest_name) return printable(std::string(name));
  return printable(std::string(name.substr(0, longest_name))) + "...";
}

std::string operator_name(const ::onnx::NodeProto& node) {
  if (node.domain().empty() || node.domain() == "ai.onnx") return clipped(node.op_type());
  return clipped(node.domain() + "." + node.op_type());
}

// Names of one body: the main graph or one call of a function.
struct Scope {
  HashMap<std::string_view, TensorId> tensors;
  boost::container::flat_map<std::string_view, Int> opsets;  ///< a few entries, read for every node
  std::vector<Attribute> call_attributes;                    ///< targets of ref_attr_name
  std::string prefix;                                        ///< prefix of labels and tensor names
};

class Builder {
 public:
  Builder(std::shared_ptr<const ::onnx::ModelProto> model, const std::string& file, Symbols symbols)
      : symbols_(std::move(symbols)) {
    graph_.functions = std::make_shared<const Functions>(*model);
    graph_.model = std::move(model);
    graph_.file = file;
  }

  MaybeError build();
  Graph take() { return std::move(graph_); }

 private:
  Error error(std::string message) const { return input_error({graph_.file}, std::move(message)); }
  TensorId add_tensor(std::string_view name, const Scope& scope);
  TensorId tensor(std::string_view name, Scope& scope);
  MaybeError add_initializer(std::string_view name, const ::onnx::TensorProto* proto, Shape shape,
                             std::int32_t type, Scope& scope);
  MaybeError add_initializers(Scope& scope);
  MaybeError add_inputs(Scope& scope);
  void add_stated_shapes(Scope& scope);
  MaybeError add_nodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, Scope& scope);
  MaybeError add_node(const ::onnx::NodeProto& proto, Scope& scope);
  MaybeError add_call(const ::onnx::NodeProto& proto, const ::onnx::FunctionProto& function, Scope& scope);
  std::vector<Attribute> resolve_attributes(const ::onnx::NodeProto& proto, const Scope& scope);
  MaybeError count_inside(const ::onnx::NodeProto& proto, const std::string& path, std::size_t depth);
  MaybeError count_body(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                        const std::string& path, std::size_t depth);
  MaybeError spend(std::size_t nodes, std::size_t references);
  MaybeError check_defined(const Scope& scope) const;

  Graph graph_;
  Symbols symbols_;
  std::vector<const ::onnx::FunctionProto*> calls_;  ///< functions being inlined, outermost first
  std::map<std::string, Int> inside_;                // in output order
  std::size_t node_count_ = 0;
  std::size_t reference_count_ = 0;
};

MaybeError Builder::spend(std::size_t nodes, std::size_t references) {
  node_count_ += nodes;
  reference_count_ += references;
  if (node_count_ > most_nodes) {
    return error(fmt::format("more than {} nodes once functions are inlined", most_nodes));
  }
  if (reference_count_ > most_references) {
    return error(
        fmt::format("nodes with more than {} inputs, outputs and attributes in total", most_references));
  }
  return std::nullopt;
}

TensorId Builder::add_tensor(std::string_view name, const Scope& scope) {
  Tensor tensor;
  tensor.name = clipped(scope.prefix + std::string(name.substr(0, longest_name)));
  graph_.tensors.push_back(std::move(tensor));
  return graph_.tensors.size() - 1;
}

TensorId Builder::tensor(std::string_view name, Scope& scope) {
  if (name.empty()) return no_tensor;
  if (const auto known = scope.tensors.find(name); known != scope.tensors.end()) return known->second;
  const TensorId id = add_tensor(name, scope);
  scope.tensors.emplace(name, id);
  return id;
}

MaybeError Builder::add_initializer(std::string_view name, const ::onnx::TensorProto* proto, Shape shape,
                                    std::int32_t type, Scope& scope) {
  if (name.empty()) return error("an initializer without a name");
  for (const Int extent : shape) {
    if (extent < 0) {
      return error(fmt::format("initializer '{}' has the shape {}; a dimension cannot be negative",
                               clipped(name), to_string(shape)));
    }
  }
  if (!element_count(shape)) {
    return error(fmt::format("initializer '{}' has the shape {}: too many elements to count", clipped(name),
                             to_string(shape)));
  }
  if (scope.tensors.contains(name)) return error(fmt::format("tensor '{}' is defined twice", clipped(name)));
  Tensor& made = graph_.tensors[tensor(name, scope)];
  made.given = true;
  made.shape = std::move(shape);
  made.type = type;
  if (proto != nullptr) made.value = read_constant(*proto);
  return std::nullopt;
}

MaybeError Builder::add_initializers(Scope& scope) {
  const auto& graph = graph_.model->graph();
  for (const auto& proto : graph.initializer()) {
    if (auto failed = add_initializer(proto.name(), &proto, Shape(proto.dims().begin(), proto.dims().end()),
                                      proto.data_type(), scope)) {
      return failed;
    }
  }
  for (const auto& sparse : graph.sparse_initializer()) {
    if (auto failed = add_initializer(sparse.values().name(), nullptr,
                                      Shape(sparse.dims().begin(), sparse.dims().end()),
                                      sparse.values().data_type(), scope)) {
      return failed;
    }
  }
  return std::nullopt;
}

MaybeError Builder::add_inputs(Scope& scope) {
  const auto& inputs = graph_.model->graph().input();
  const std::size_t initializers = graph_.tensors.size();
  const auto is_initializer = [&](const ::onnx::ValueInfoProto& input) {
    const auto known = scope.tensors.find(input.name());
    return known != scope.tensors.end() && known->second < initializers;
  };
  for (const auto& input : inputs) {
    if (!is_initializer(input)) symbols_.note(input);
  }
  if (auto failed = symbols_.check_all_used()) return failed;
  for (const auto& input : inputs) {
    if (input.name().empty()) return error("a graph input without a name");
    if (is_initializer(input)) continue;
    auto shape = symbols_.input_shape(input, graph_.file);
    if (!shape) return shape.error();
    if (scope.tensors.contains(input.name())) {
      return error(fmt::format("tensor '{}' is defined twice", clipped(input.name())));
    }
    if (*shape && !element_count(**shape)) {
      return error(fmt::format("input '{}' has the shape {}: too many elements to count",
                               clipped(input.name()), to_string(**shape)));
    }
    Tensor& made = graph_.tensors[tensor(input.name(), scope)];
    made.given = true;
    made.shape = std::move(*shape);
    made.type = input.type().tensor_type().elem_type();
  }
  return std::nullopt;
}

void Builder::add_stated_shapes(Scope& scope) {
  const auto state = [&](const ::onnx::ValueInfoProto& info) {
    const auto known = scope.tensors.find(info.name());
    if (known == scope.tensors.end()) return;
    graph_.tensors[known->second].stated = symbols_.stated_shape(info.type());
    graph_.tensors[known->second].stated_type = info.type().tensor_type().elem_type();
  };
  for (const auto& info : graph_.model->graph().output()) state(info);
  for (const auto& info : graph_.model->graph().value_info()) state(info);
}

std::vector<Attribute> Builder::resolve_attributes(const ::onnx::NodeProto& proto, const Scope& scope) {
  std::vector<Attribute> attributes;
  for (const auto& attribute : proto.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      attributes.push_back({attribute.name(), &attribute});
      continue;
    }
    for (const Attribute& given : scope.call_attributes) {
      if (given.name == attribute.ref_attr_name()) {
        attributes.push_back({attribute.name(), given.proto});
        break;
      }
    }
  }
  return attributes;
}

MaybeError Builder::add_call(const ::onnx::NodeProto& proto, const ::onnx::FunctionProto& function,
                             Scope& scope) {
  const std::string name = operator_name(proto);
  if (std::find(calls_.begin(), calls_.end(), &function) != calls_.end()) {
    return error(fmt::format("function '{}' calls itself", name));
  }
  if (calls_.size() >= deepest_call) {
    return error(fmt::format("function calls are nested deeper than {} levels, at '{}'", deepest_call, name));
  }
  if (proto.input_size() > function.input_size() || proto.output_size() > function.output_size()) {
    return error(fmt::format("function '{}' is called with {} inputs and {} outputs; it has {} and {}", name,
                             proto.input_size(), proto.output_size(), function.input_size(),
                             function.output_size()));
  }
  Scope body;
  body.opsets = scope.opsets;
  for (const auto& opset : function.opset_import()) {
    body.opsets[opset.domain() == "ai.onnx" ? std::string_view() : opset.domain()] = opset.version();
  }
  body.call_attributes = resolve_attributes(proto, scope);
  for (const auto& fallback : graph_.functions->defaults(function)) {
    body.call_attributes.push_back({fallback->name(), fallback.get()});
  }
  body.prefix = clipped(scope.prefix + (proto.name().empty() ? name : proto.name())) + "/";
  for (int i = 0; i < function.input_size(); ++i) {
    body.tensors[function.input(i)] = i < proto.input_size() ? tensor(proto.input(i), scope) : no_tensor;
  }
  for (int i = 0; i < proto.output_size(); ++i) {
    if (proto.output(i).empty()) continue;
    if (!body.tensors.emplace(function.output(i), tensor(proto.output(i), scope)).second) {
      return error(fmt::format("function '{}' passes '{}' through; an output must be made by a node", name,
                               clipped(function.output(i))));
    }
  }
  calls_.push_back(&function);
  auto failed = add_nodes(function.node(), body);
  calls_.pop_back();
  return failed;
}

MaybeError Builder::add_node(const ::onnx::NodeProto& proto, Scope& scope) {
  if (proto.op_type().empty()) {
    return error(fmt::format("node '{}' has no operator type", clipped(proto.name())));
  }
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  if (auto failed =
          spend(1, size(proto.input_size()) + size(proto.output_size()) + size(proto.attribute_size()))) {
    return failed;
  }
  if (const auto* function = graph_.functions->find(proto)) return add_call(proto, *function, scope);

  Node node;
  node.op = operator_name(proto);
  const std::string_view domain = proto.domain() == "ai.onnx" ? std::string_view() : proto.domain();
  if (const auto opset = scope.opsets.find(domain); opset != scope.opsets.end()) {
    node.opset = opset->second;
  } else if (domain.empty()) {
    return error("the version of the ONNX operators is missing (opset_import); the file may be truncated");
  }
  for (const auto& name : proto.input()) node.inputs.push_back(tensor(name, scope));
  node.label = !proto.name().empty() ? proto.name()
               : proto.output_size() > 0 && !proto.output(0).empty()
                   ? proto.output(0)
                   : fmt::format("#{}", graph_.nodes.size());
  node.label = clipped(scope.prefix + clipped(node.label));
  for (const auto& name : proto.output()) {
    const TensorId id = tensor(name, scope);
    node.outputs.push_back(id);
    if (id == no_tensor) continue;
    Tensor& made = graph_.tensors[id];
    if (made.given || made.producer >= 0) {
      return error(
          fmt::format("tensor '{}' is defined twice; the second time by {}", made.name, describe(node)));
    }
    made.producer = static_cast<int>(graph_.nodes.size());
  }
  node.attributes = resolve_attributes(proto, scope);
  if (auto failed = count_inside(proto, node.op, 0)) return failed;
  graph_.nodes.push_back(std::move(node));
  return std::nullopt;
}

MaybeError Builder::add_nodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                              Scope& scope) {
  for (const auto& node : nodes) {
    if (auto failed = add_node(node, scope)) return failed;
  }
  return std::nullopt;
}

// Control-flow bodies run an unknown number of times, so their operators are listed, not mapped.
MaybeError Builder::count_inside(const ::onnx::NodeProto& proto, const std::string& path, std::size_t depth) {
  for (const auto& attribute : proto.attribute()) {
    if (attribute.has_g()) {
      if (auto failed = count_body(attribute.g().node(), path, depth)) return failed;
    }
    for (const auto& graph : attribute.graphs()) {
      if (auto failed = count_body(graph.node(), path, depth)) return failed;
    }
  }
  return std::nullopt;
}

MaybeError Builder::count_body(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                               const std::string& path, std::size_t depth) {
  if (depth >= deepest_call) {
    return error(fmt::format("bodies of '{}' are nested deeper than {} levels", clipped(path), deepest_call));
  }
  for (const auto& node : nodes) {
    if (auto failed = spend(1, 0)) return failed;
    const std::string inner = clipped(path + " > " + operator_name(node));
    if (const auto* function = graph_.functions->find(node)) {
      if (auto failed = count_body(function->node(), inner, depth + 1)) return failed;
    } else {
      ++inside_[inner];
    }
    if (auto failed = count_inside(node, inner, depth + 1)) return failed;
  }
  return std::nullopt;
}

MaybeError Builder::check_defined(const Scope& scope) const {
  for (const Node& node : graph_.nodes) {
    for (const TensorId id : node.inputs) {
      if (id == no_tensor || graph_.tensors[id].given || graph_.tensors[id].producer >= 0) continue;
      std::vector<std::string_view> names;
      for (const Tensor& known : graph_.tensors) {
        if (names.size() < 1000 && (known.given || known.producer >= 0)) names.emplace_back(known.name);
      }
      return error(fmt::format("{} reads '{}', which no node, input or initializer makes{}", describe(node),
                               graph_.tensors[id].name, suggestion(graph_.tensors[id].name, names)));
    }
  }
  for (const auto& output : graph_.model->graph().output()) {
    const auto known = scope.tensors.find(output.name());
    if (known != scope.tensors.end() && known->second != no_tensor &&
        (graph_.tensors[known->second].given || graph_.tensors[known->second].producer >= 0)) {
      continue;
    }
    return error(
        fmt::format("no node computes graph output '{}'; the file may be truncated", clipped(output.name())));
  }
  return std::nullopt;
}

MaybeError Builder::build() {
  Scope scope;
  for (const auto& opset : graph_.model->opset_import()) {
    scope.opsets[opset.domain() == "ai.onnx" ? std::string_view() : opset.domain()] = opset.version();
  }
  if (auto failed = add_initializers(scope)) return failed;
  if (auto failed = add_inputs(scope)) return failed;
  if (auto failed = add_nodes(graph_.model->graph().node(), scope)) return failed;
  if (auto failed = check_defined(scope)) return failed;
  add_stated_shapes(scope);
  if (auto failed = sort_nodes(graph_)) return failed;
  for (const auto& [type, count] : inside_) graph_.inside.push_back({type, count});
  return std::nullopt;
}

}  // namespace

std::string describe(const Node& node) { return fmt::format("node '{}' ({})", node.label, node.op); }

Result<Graph> build_graph(std::shared_ptr<const ::onnx::ModelProto> model, const std::string& file,
                          const OnnxOptions& options) {
  auto symbols = Symbols::from(options);
  if (!symbols) return symbols.error();
  Builder builder(std::move(model), file, std::move(*symbols));
  if (auto failed = builder.build()) return *failed;
  return builder.take();
}

}  // namespace nestor::io::onnx_import
