#include "io/onnx/infer.h"

#include "io/onnx/libonnx_inference.h"
#include "io/onnx/rules.h"

namespace nestor::io::onnx_import {
namespace {

// Completes the results of the rule from the file's own declarations (value_info, graph outputs).
void fill_from_statement(Tensor& tensor) {
  if (tensor.type == undefined_type) tensor.type = tensor.stated_type;
  if (!tensor.stated) return;
  const bool countable = !fully_known(*tensor.stated) || element_count(*tensor.stated);
  if (!countable) return;
  if (!tensor.shape) {
    tensor.shape = tensor.stated;
    return;
  }
  if (tensor.shape->size() != tensor.stated->size()) return;
  for (std::size_t i = 0; i < tensor.shape->size(); ++i) {
    if ((*tensor.shape)[i] == unknown_dim) (*tensor.shape)[i] = (*tensor.stated)[i];
  }
  if (fully_known(*tensor.shape) && !element_count(*tensor.shape)) tensor.shape.reset();
}

}  // namespace

MaybeError infer_shapes(Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (const Rule rule = find_rule(node.op)) {
      NodeView view(graph, node);
      rule(view);
      if (auto failed = view.failure()) return failed;
    } else {
      infer_with_libonnx(graph, node);
    }
    for (const TensorId id : node.outputs) {
      if (id != no_tensor) fill_from_statement(graph.tensors[id]);
    }
  }
  return std::nullopt;
}

}  // namespace nestor::io::onnx_import
