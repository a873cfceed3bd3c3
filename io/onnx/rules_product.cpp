// Inference rules (rules.h) for matrix products, and the functions of product.h.
#include <fmt/format.h>

#include "io/onnx/product.h"
#include "io/onnx/rules.h"

namespace nestor::io::onnx_import {
namespace {

bool same_depth(NodeView& node, const Shape& a, const Shape& b, Int left, Int right) {
  if (left == right || left == unknown_dim || right == unknown_dim) return true;
  node.fail(fmt::format("shapes {} and {} do not multiply: {} against {}", to_string(a), to_string(b), left,
                        right));
  return false;
}

Int either(Int a, Int b) { return a == unknown_dim ? b : a; }

}  // namespace

std::optional<Product> matrix_product(NodeView& node, const Shape& a, const Shape& b) {
  if (a.empty() || b.empty()) {
    node.fail(fmt::format("shapes {} and {} do not multiply: a scalar is not a matrix", to_string(a),
                          to_string(b)));
    return std::nullopt;
  }
  Product product;
  product.row_vector = a.size() == 1;
  product.column_vector = b.size() == 1;
  product.rows = product.row_vector ? 1 : a[a.size() - 2];
  product.columns = product.column_vector ? 1 : b.back();
  const Int right_depth = product.column_vector ? b[0] : b[b.size() - 2];
  if (!same_depth(node, a, b, a.back(), right_depth)) return std::nullopt;
  product.depth = either(a.back(), right_depth);
  const Shape left_batch(a.begin(), a.end() - (product.row_vector ? 1 : 2));
  product.right_batch = Shape(b.begin(), b.end() - (product.column_vector ? 1 : 2));
  product.batch = broadcast(node, left_batch, product.right_batch);
  if (node.failed()) return std::nullopt;
  product.right_batch.insert(product.right_batch.begin(), product.batch.size() - product.right_batch.size(),
                             1);
  return product;
}

std::optional<Product> gemm_product(NodeView& node, const Shape& a, const Shape& b) {
  if (a.size() != 2 || b.size() != 2) {
    node.fail(fmt::format("shapes {} and {}; expected two matrices", to_string(a), to_string(b)));
    return std::nullopt;
  }
  const std::size_t left = node.integer("transA", 0) != 0 ? 1 : 0;
  const std::size_t right = node.integer("transB", 0) != 0 ? 1 : 0;
  if (node.failed() || !same_depth(node, a, b, a[1 - left], b[right])) return std::nullopt;
  Product product;
  product.rows = a[left];
  product.columns = b[1 - right];
  product.depth = either(a[1 - left], b[right]);
  return product;
}

std::optional<AttentionExtents> attention_extents(NodeView& node) {
  const Shape* query = node.shape(0);
  const Shape* key = node.shape(1);
  const Shape* value = node.shape(2);
  if (query == nullptr || key == nullptr || value == nullptr) return std::nullopt;
  AttentionExtents extents;
  const std::size_t rank = query->size();
  if ((rank != 3 && rank != 4) || key->size() != rank || value->size() != rank) {
    node.fail(
        fmt::format("query, key and value have the shapes {}, {} and {}; expected 3 or 4 dimensions each",
                    to_string(*query), to_string(*key), to_string(*value)));
    return std::nullopt;
  }
  extents.flat = rank == 3;
  extents.batch = (*query)[0];
  extents.queries = (*query)[rank - 2];
  extents.keys = (*key)[rank - 2];
  extents.heads = extents.flat ? node.integer("q_num_heads", 0) : (*query)[1];
  extents.key_heads = extents.flat ? node.integer("kv_num_heads", 0) : (*key)[1];
  if (node.failed()) return std::nullopt;
  if (extents.heads == 0 || extents.key_heads == 0 || extents.heads < unknown_dim ||
      extents.key_heads < unknown_dim) {
    node.fail("its numbers of heads are not positive");
    return std::nullopt;
  }
  const auto part = [](Int whole, Int heads) {
    return whole == unknown_dim || heads == unknown_dim ? unknown_dim : whole / heads;
  };
  extents.size = extents.flat ? part((*query)[2], extents.heads) : (*query)[3];
  extents.value_size = extents.flat ? part((*value)[2], extents.key_heads) : (*value)[3];
  if (const Shape* past = node.shape(4); past != nullptr && past->size() == 4) {
    const bool known = (*past)[2] != unknown_dim && extents.keys != unknown_dim;
    const auto sum = known ? checked_add((*past)[2], extents.keys) : std::nullopt;
    extents.keys = sum.value_or(unknown_dim);
  } else if (node.input(4) != nullptr) {
    extents.keys = unknown_dim;
  }
  return extents;
}

void infer_matrix_product(NodeView& node) {
  const bool quantised = node.node().op == "QLinearMatMul";
  const Tensor* left = node.required(0);
  const std::size_t right = quantised ? 3 : 1;
  if (left == nullptr || node.required(right) == nullptr) return;
  std::int32_t type = left->type;
  if (node.node().op == "MatMulInteger") type = int32_type;
  if (quantised) {
    if (node.required(7) == nullptr) return;
    type = node.input(7)->type;
  }
  if (node.shape(0) == nullptr || node.shape(right) == nullptr) return node.set(0, std::nullopt, type);
  const auto product = matrix_product(node, *node.shape(0), *node.shape(right));
  if (!product) return;
  Shape output = product->batch;
  if (!product->row_vector) output.push_back(product->rows);
  if (!product->column_vector) output.push_back(product->columns);
  node.set(0, std::move(output), type);
}

void infer_gemm(NodeView& node) {
  const Tensor* left = node.required(0);
  if (left == nullptr || node.required(1) == nullptr) return;
  if (node.shape(0) == nullptr || node.shape(1) == nullptr) return node.set(0, std::nullopt, left->type);
  const auto product = gemm_product(node, *node.shape(0), *node.shape(1));
  if (product) node.set(0, Shape{product->rows, product->columns}, left->type);
}

void infer_attention(NodeView& node) {
  const Tensor* query = node.required(0);
  if (query == nullptr || node.required(1) == nullptr || node.required(2) == nullptr) return;
  const auto extents = attention_extents(node);
  if (!extents) return;
  const auto times = [&](Int a, Int b) {
    if (a == unknown_dim || b == unknown_dim) return unknown_dim;
    return checked_multiply(a, b).value_or(-2);
  };
  const auto& [batch, heads, key_heads, queries, keys, size, value_size, flat] = *extents;
  node.set(0,
           flat ? Shape{batch, queries, times(heads, value_size)} : Shape{batch, heads, queries, value_size},
           query->type);
  node.set(1, Shape{batch, key_heads, keys, size}, query->type);
  node.set(2, Shape{batch, key_heads, keys, value_size}, query->type);
}

}  // namespace nestor::io::onnx_import
