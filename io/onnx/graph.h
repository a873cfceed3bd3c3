// An ONNX model as one flat list of nodes over numbered tensors. Local functions are inlined, names are
// resolved, and each node comes after the producers of its inputs. Errors in the structure of the graph
// (undefined or doubly defined tensors, cycles, recursion) are reported by build_graph.
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
inline constexpr TensorId no_tensor = static_cast<TensorId>(-1);  ///< an omitted input or output

/// An attribute with its name in the operator's definition. Inside a function, the proto may belong to the
/// caller.
struct Attribute {
  std::string_view name;
  const ::onnx::AttributeProto* proto = nullptr;
};

struct Node {
  std::string op;     ///< "Conv", or with the domain if it is not ONNX's own: "com.microsoft.QGemm"
  std::string label;  ///< name in messages and name of the layer
  Int opset = 0;      ///< version of the operator's domain
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;  ///< no_tensor if an output has no name
  std::vector<Attribute> attributes;
};

struct Graph {
  std::shared_ptr<const ::onnx::ModelProto> model;  ///< owner of the attributes
  std::shared_ptr<const Functions> functions;       ///< owner of default attributes
  std::string file;
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;                      ///< in execution order
  std::vector<std::vector<std::size_t>> users;  ///< nodes that read each tensor
  std::vector<UnmappedOperator> inside;         ///< operators in bodies of If, Loop and Scan: "Loop > Conv"
};

/// Describes a node for messages, as in "node 'conv1' (Conv)".
std::string describe(const Node& node);

Result<Graph> build_graph(std::shared_ptr<const ::onnx::ModelProto> model, const std::string& file,
                          const OnnxOptions& options);

}  // namespace nestor::io::onnx_import
