// Sorting of a graph's nodes into execution order. This is the order of the file, unless a node precedes the
// producer of one of its inputs.
#pragma once

#include "io/onnx/graph.h"

namespace nestor::io::onnx_import {

/// Sorts the nodes and records the users of each tensor. Fails if the graph has a cycle.
MaybeError sort_nodes(Graph& graph);

}  // namespace nestor::io::onnx_import
