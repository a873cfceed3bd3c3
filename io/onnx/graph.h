// An ONNX model as one flat list of nodes over numbered tensors: local functions are inlined, nodes stand in
// an order in which every input is made before it is used, and names are resolved. Whatever is wrong with the
// graph as a graph (undefined or doubly defined tensors, cycles, recursion) is found here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/onnx/import.h"
#include "io/onnx/tensor.h"

namespace onnx {
class AttributeProto;
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace nestor::io::onnx_import {

class Functions;

using TensorId = std::size_t;
inline constexpr TensorId no_tensor = static_cast<TensorId>(-1);  ///< an optional input left out

/// An attribute under the name the operator knows it by (inside a function the proto may be the caller's).
struct Attribute {
  std::string_view name;
  const ::onnx::AttributeProto* proto = nullptr;
};

struct Node {
  std::string op;     ///< "Conv", or with its domain if that is not ONNX's own: "com.microsoft.QGemm"
  std::string label;  ///< name in messages and of the layer
  Int opset = 0;      ///< version of its domain
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  ///< no_tensor for an output without a name
  std::vector<Attribute> attributes;
};

struct Graph {
  std::shared_ptr<const ::onnx::ModelProto> model;  ///< what the attributes point into,
  std::shared_ptr<const Functions> functions;       ///< or the defaults they come from
  std::string file;
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;                      ///< in execution order
  std::vector<std::vector<std::size_t>> users;  ///< per tensor, the nodes that read it
  std::vector<UnmappedOperator> inside;         ///< operators in bodies of If, Loop, Scan: "Loop > Conv"
};

/// "node 'conv1' (Conv)"
std::string describe(const Node& node);

Result<Graph> build_graph(std::shared_ptr<const ::onnx::ModelProto> model, const std::string& file,
                          const OnnxOptions& options);

}  // namespace nestor::io::onnx_import
