// Tests of the import of matrix products as layers: N=1, P=m, K=n, C=k (docs/models/cim.md, section 1).
#include "io/onnx/built_model.h"

namespace nestor::io::matrix_product_test {
namespace {

using ::testing::HasSubstr;

Extents gemm_bounds(Int m, Int k, Int n) { return {1, n, k, m, 1, 1, 1, 1}; }

ModelBuilder product(const std::string& op, const Shape& left, const Shape& right,
                     const Attributes& attributes = {}) {
  ModelBuilder model("product", {});
  model.name_next("product");
  model.output(model.add(op, {model.input("a", left), model.input("b", right)}, attributes));
  return model;
}

TEST(MatrixProduct, Gemm_reads_its_operands_transposed_or_not) {
  const auto bounds = [](const Shape& a, const Shape& b, Int trans_a, Int trans_b) {
    return import_one(product("Gemm", a, b, {{"transA", trans_a}, {"transB", trans_b}, {"alpha", 0.5}}))
        .shape.bounds;
  };
  EXPECT_EQ(bounds({5, 7}, {7, 11}, 0, 0), gemm_bounds(5, 7, 11));
  EXPECT_EQ(bounds({5, 7}, {11, 7}, 0, 1), gemm_bounds(5, 7, 11));
  EXPECT_EQ(bounds({7, 5}, {7, 11}, 1, 0), gemm_bounds(5, 7, 11));
  EXPECT_EQ(bounds({7, 5}, {11, 7}, 1, 1), gemm_bounds(5, 7, 11));
}

TEST(MatrixProduct, runs_once_for_two_matrices) {
  const Layer layer = import_one(product("MatMul", {5, 7}, {7, 11}));
  EXPECT_EQ(layer.shape.bounds, gemm_bounds(5, 7, 11));
  EXPECT_EQ(layer.repeat, 1);
}

TEST(MatrixProduct, has_one_row_or_column_for_vectors) {
  EXPECT_EQ(import_one(product("MatMul", {7}, {7, 11})).shape.bounds, gemm_bounds(1, 7, 11));
  EXPECT_EQ(import_one(product("MatMul", {5, 7}, {7})).shape.bounds, gemm_bounds(5, 7, 1));
  EXPECT_EQ(import_one(product("MatMul", {7}, {7})).shape.bounds, gemm_bounds(1, 7, 1));
}

TEST(MatrixProduct, with_one_weight_matrix_folds_the_batch_into_its_rows) {
  const Layer layer = import_one(product("MatMul", {2, 3, 5, 7}, {7, 11}));
  EXPECT_EQ(layer.shape.bounds, gemm_bounds(2 * 3 * 5, 7, 11));
  EXPECT_EQ(layer.repeat, 1);
  EXPECT_EQ(import_one(product("MatMul", {4, 5, 7}, {1, 7, 11})).shape.bounds, gemm_bounds(4 * 5, 7, 11));
}

TEST(MatrixProduct, repeats_for_two_batches) {
  const Layer layer = import_one(product("MatMul", {2, 12, 128, 64}, {2, 12, 64, 128}));
  EXPECT_EQ(layer.shape.bounds, gemm_bounds(128, 64, 128));
  EXPECT_EQ(layer.repeat, 2 * 12);
}

TEST(MatrixProduct, broadcasts_batches_dimension_by_dimension) {
  // There are 3 right matrices. The 2 outer indices of the left matrices share each of them.
  const Layer mixed = import_one(product("MatMul", {2, 3, 5, 7}, {1, 3, 7, 11}));
  EXPECT_EQ(mixed.shape.bounds, gemm_bounds(2 * 5, 7, 11));
  EXPECT_EQ(mixed.repeat, 3);
  const Layer left_shared = import_one(product("MatMul", {5, 7}, {4, 7, 11}));
  EXPECT_EQ(left_shared.shape.bounds, gemm_bounds(5, 7, 11));
  EXPECT_EQ(left_shared.repeat, 4);
}

TEST(MatrixProduct, refuses_incompatible_shapes) {
  EXPECT_EQ(message_of(product("MatMul", {5, 7}, {8, 11})),
            "built.onnx: node 'product' (MatMul): shapes [5, 7] and [8, 11] do not multiply: 7 against 8");
  EXPECT_THAT(message_of(product("MatMul", {2, 5, 7}, {3, 7, 11})),
              HasSubstr("shapes [2] and [3] do not broadcast"));
  EXPECT_THAT(message_of(product("MatMul", {}, {3, 7, 11})), HasSubstr("a scalar is not a matrix"));
  EXPECT_THAT(message_of(product("Gemm", {2, 5, 7}, {7, 11})), HasSubstr("expected two matrices"));
}

TEST(MatrixProduct, maps_attention_from_its_reshapes_and_transposes) {
  ModelBuilder model("attention", {});
  const Value x = model.input("x", {1, 10, 48});
  const auto heads = [&](const Value& v, const std::vector<Int>& order) {
    return model.add("Transpose", {model.add("Reshape", {v, model.integers({0, -1, 4, 12})})},
                     {{"perm", order}});
  };
  const Value scores = model.add("MatMul", {heads(x, {0, 2, 1, 3}), heads(x, {0, 2, 3, 1})});
  model.output(model.add("MatMul", {model.add("Softmax", {scores}), heads(x, {0, 2, 1, 3})}));
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].shape.bounds, gemm_bounds(10, 12, 10));
  EXPECT_EQ(network.layers[0].repeat, 4);
  EXPECT_EQ(network.layers[1].shape.bounds, gemm_bounds(10, 10, 12));
  EXPECT_EQ(network.layers[1].repeat, 4);
}

TEST(MatrixProduct, Attention_is_its_two_products_with_shared_keys_and_a_past) {
  ModelBuilder model("attention", {.opset = 23});
  model.name_next("attend");
  // Eight query heads that share two key heads, with flat operands and six earlier keys.
  model.output(model.add(
      "Attention",
      {model.input("q", {3, 5, 8 * 16}), model.input("k", {3, 4, 2 * 16}), model.input("v", {3, 4, 2 * 24}),
       "", model.input("past_k", {3, 2, 6, 16}), model.input("past_v", {3, 2, 6, 24})},
      {{"q_num_heads", Int{8}}, {"kv_num_heads", Int{2}}}));
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].name, "attend/scores");
  EXPECT_EQ(network.layers[0].shape.bounds, gemm_bounds(5, 16, 10));
  EXPECT_EQ(network.layers[0].repeat, 3 * 8);
  EXPECT_EQ(network.layers[1].name, "attend/context");
  EXPECT_EQ(network.layers[1].shape.bounds, gemm_bounds(5, 10, 24));
  EXPECT_EQ(network.layers[1].repeat, 3 * 8);
  EXPECT_EQ(shape_text(model, "attend_out"), "[3, 5, 192]");
}

}  // namespace
}  // namespace nestor::io::matrix_product_test
