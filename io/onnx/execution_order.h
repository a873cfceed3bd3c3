// Execution order of the nodes of a graph. It is the file's order, except if a node precedes one that it
// reads from.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sorts the nodes and records the users of each tensor. Fails if the graph has a cycle.
MaybeError sort_nodes(Graph& graph);

}  // namespace nestor::io::onnx_import
