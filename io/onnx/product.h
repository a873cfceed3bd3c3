// A matrix product as loop nests: its rows, columns and reduction, the dimensions that repeat it, and those
// that are folded into its rows. Both shape rules and layer extraction use it.
#pragma once

#include <optional>

#include "io/onnx/node_view.h"

namespace nestor::io::onnx_import {

struct Product {
  Int rows = unknown_dim;     ///< m, rows of one matrix of the left operand
  Int columns = unknown_dim;  ///< n
  Int depth = unknown_dim;    ///< k
  Shape batch;                ///< broadcast leading dimensions of the result
  Shape right_batch;          ///< leading dimensions of the right operand, padded with 1 on the left
  bool row_vector = false;    ///< the left operand is a vector, so the result has no row dimension
  bool column_vector = false;
};

/// Returns the product of operands with shapes `a` and `b` by the rules of numpy's matmul; fails and returns
/// nothing if the shapes do not match.
std::optional<Product> matrix_product(NodeView& node, const Shape& a, const Shape& b);

/// Returns the product of Gemm's two matrices after transA and transB are applied.
std::optional<Product> gemm_product(NodeView& node, const Shape& a, const Shape& b);

/// Extents of the Attention operator (opset 23): query, key and value of [batch, heads, length, size], or of
/// [batch, length, heads * size] with the head counts as attributes. Optional past keys precede the keys.
struct AttentionExtents {
  Int batch = unknown_dim, heads = unknown_dim, key_heads = unknown_dim;
  Int queries = unknown_dim, keys = unknown_dim;  ///< numbers of queries and keys
  Int size = unknown_dim, value_size = unknown_dim;
  bool flat = false;  ///< three-dimensional operands
};
std::optional<AttentionExtents> attention_extents(NodeView& node);

}  // namespace nestor::io::onnx_import
