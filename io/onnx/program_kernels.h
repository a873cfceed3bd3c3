// Conversion to kernels of those operators of a model that are loop nests. A kernel has the dims of the
// equivalent linalg operation (docs/mlir.md).
#pragma once

#include <optional>
#include <vector>

#include "io/onnx/element_types.h"
#include "io/onnx/node_view.h"
#include "model/cnm/kernel.h"

namespace nestor::io::onnx_import {

struct NodeKernel {
  cnm::Kernel kernel;
  std::vector<TensorId> inputs;  ///< tensor of each input operand; the output is the node's first output
  std::vector<Int> pads;         ///< pads before each axis of a window, then those after each axis
};

/// Returns the kernel of a node, or nothing if the operator, or its form in this node, is not supported as a
/// loop nest. `is_weight` is indexed by tensor.
std::optional<NodeKernel> kernel_of_node(NodeView& node, const std::vector<bool>& is_weight,
                                         const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
