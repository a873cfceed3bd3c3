// The order in which the nodes of a graph run: the file's, except where a node stands before one that it
// reads from.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sorts the nodes and fills in who uses each tensor. Fails where the graph has a cycle.
MaybeError sort_nodes(Graph& graph);

}  // namespace nestor::io::onnx_import
