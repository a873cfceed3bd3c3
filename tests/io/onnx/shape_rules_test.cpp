// Tests that compare the importer's own shape rules with the ONNX operator specification, operator by
// operator.
#include "io/onnx/built_model.h"

namespace nestor::io::shape_rules_test {
namespace {

using Ints = std::vector<Int>;

struct Case {
  std::string op;
  std::vector<Shape> inputs;    ///< float tensors
  std::vector<Ints> constants;  ///< further inputs: integer lists with values
  Attributes attributes;
  std::string expected;
  Int opset = 17;
};

TEST(ShapeRules, follow_the_operator_specification) {
  const std::vector<Case> cases = {
      {"Relu", {{2, 3}}, {}, {}, "[2, 3]"},
      {"Add", {{2, 1, 4}, {3, 1}}, {}, {}, "[2, 3, 4]"},
      {"Where", {{3, 1}, {1, 4}, {2, 1, 1}}, {}, {}, "[2, 3, 4]"},
      {"Greater", {{5}, {1}}, {}, {}, "[5]"},
      {"PRelu", {{2, 3, 4}, {3, 1}}, {}, {}, "[2, 3, 4]"},
      {"LayerNormalization", {{2, 3, 8}, {8}, {8}}, {}, {}, "[2, 3, 8]"},
      {"Gelu", {{2, 3}}, {}, {}, "[2, 3]", 20},
      {"MaxPool",
       {{1, 3, 9, 9}},
       {},
       {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}},
       "[1, 3, 4, 4]"},
      {"MaxPool",
       {{1, 3, 10, 10}},
       {},
       {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", Int{1}}},
       "[1, 3, 5, 5]"},
      // The last window would start in the padding, so it is omitted.
      {"AveragePool",
       {{1, 3, 2}},
       {},
       {{"kernel_shape", Ints{2}}, {"strides", Ints{3}}, {"pads", Ints{0, 1}}, {"ceil_mode", Int{1}}},
       "[1, 3, 1]"},
      {"GlobalAveragePool", {{1, 3, 9, 9}}, {}, {}, "[1, 3, 1, 1]"},
      {"Pad", {{2, 3}}, {{1, 0, 2, 4}}, {}, "[5, 7]"},
      {"Pad", {{2, 3}}, {}, {{"pads", Ints{0, 1, 0, -2}}}, "[2, 2]", 2},
      {"DepthToSpace", {{1, 12, 4, 5}}, {}, {{"blocksize", Int{2}}}, "[1, 3, 8, 10]"},
      {"SpaceToDepth", {{1, 3, 8, 10}}, {}, {{"blocksize", Int{2}}}, "[1, 12, 4, 5]"},
      {"Gemm", {{7, 5}, {7, 11}}, {}, {{"transA", Int{1}}}, "[5, 11]"},
      {"MatMul", {{2, 1, 5, 7}, {3, 7, 11}}, {}, {}, "[2, 3, 5, 11]"},
      {"MatMul", {{7}, {3, 7, 11}}, {}, {}, "[3, 11]"},
      {"Reshape", {{2, 3, 4}}, {{0, -1}}, {}, "[2, 12]"},
      {"Reshape", {{2, 3, 4}}, {{4, 3, 2}}, {}, "[4, 3, 2]"},
      {"Reshape", {{2, 3, 4}}, {}, {{"shape", Ints{6, -1}}}, "[6, 4]", 1},
      {"Flatten", {{2, 3, 4, 5}}, {}, {{"axis", Int{2}}}, "[6, 20]"},
      {"Flatten", {{2, 3, 4, 5}}, {}, {{"axis", Int{-1}}}, "[24, 5]"},
      {"Flatten", {{2, 3}}, {}, {{"axis", Int{0}}}, "[1, 6]"},
      {"Squeeze", {{1, 3, 1, 5}}, {}, {}, "[3, 5]"},
      {"Squeeze", {{1, 3, 1, 5}}, {{-2}}, {}, "[1, 3, 5]"},
      {"Squeeze", {{1, 3, 1, 5}}, {}, {{"axes", Ints{0}}}, "[3, 1, 5]", 11},
      {"Unsqueeze", {{3, 5}}, {{0, -1}}, {}, "[1, 3, 5, 1]"},
      {"Unsqueeze", {{3, 5}}, {}, {{"axes", Ints{1}}}, "[3, 1, 5]", 11},
      {"Transpose", {{2, 3, 4}}, {}, {}, "[4, 3, 2]"},
      {"Transpose", {{2, 3, 4}}, {}, {{"perm", Ints{0, 2, 1}}}, "[2, 4, 3]"},
      {"Expand", {{3, 1}}, {{2, 1, 6}}, {}, "[2, 3, 6]"},
      {"Tile", {{2, 3}}, {{2, 5}}, {}, "[4, 15]"},
      {"Concat", {{2, 3}, {2, 4}, {2, 1}}, {}, {{"axis", Int{-1}}}, "[2, 8]"},
      {"Slice", {{10, 10}}, {{1, -3}, {7, INT64_MAX}}, {}, "[6, 3]"},
      {"Slice", {{10, 10}}, {{8}, {INT64_MIN}, {1}, {-2}}, {}, "[10, 5]"},
      {"Slice", {{10, 10}}, {}, {{"starts", Ints{2}}, {"ends", Ints{-1}}, {"axes", Ints{0}}}, "[7, 10]", 9},
      {"Gather", {{5, 6, 7}}, {{0, 1, 1, 4}}, {{"axis", Int{1}}}, "[5, 4, 7]"},
      {"ReduceMean", {{2, 3, 4}}, {}, {{"axes", Ints{-1}}}, "[2, 3, 1]"},
      {"ReduceMean", {{2, 3, 4}}, {{1}}, {{"keepdims", Int{0}}}, "[2, 4]", 18},
      {"ReduceSum", {{2, 3, 4}}, {}, {}, "[1, 1, 1]"},
      {"ReduceMax", {{2, 3}}, {}, {{"noop_with_empty_axes", Int{1}}}, "[2, 3]", 20},
      {"ArgMax", {{2, 3, 4}}, {}, {{"axis", Int{1}}, {"keepdims", Int{0}}}, "[2, 4]"},
      {"TopK", {{2, 9}}, {{4}}, {}, "[2, 4]"},
      {"Attention", {{2, 8, 5, 16}, {2, 8, 6, 16}, {2, 8, 6, 24}}, {}, {}, "[2, 8, 5, 24]", 23},
  };
  for (const Case& entry : cases) {
    ModelBuilder model("rule", {.opset = entry.opset});
    std::vector<Value> inputs;
    inputs.reserve(entry.inputs.size() + entry.constants.size());
    for (const Shape& shape : entry.inputs)
      inputs.push_back(model.weight("in" + std::to_string(inputs.size()), shape));
    for (const Ints& values : entry.constants) inputs.push_back(model.integers(values));
    const Value out = model.add(entry.op, inputs, entry.attributes);
    EXPECT_EQ(shape_text(model, out), entry.expected) << entry.op << " at opset " << entry.opset;
  }
}

TEST(ShapeRules, resize_by_sizes_or_scales_on_all_or_some_axes) {
  ModelBuilder model("resize", {.opset = 18});
  const Value x = model.input("x", {1, 3, 4, 5});
  const Value by_sizes = model.add("Resize", {x, "", "", model.integers({1, 3, 8, 9})});
  EXPECT_EQ(shape_text(model, by_sizes), "[1, 3, 8, 9]");
  const Value two = model.add("Resize", {x, "", "", model.integers({8, 9})}, {{"axes", Ints{2, 3}}});
  EXPECT_EQ(shape_text(model, two), "[1, 3, 8, 9]");
  Value scales = "scales";
  auto& tensor = *model.proto().mutable_graph()->add_initializer();
  tensor.set_name(scales);
  tensor.set_data_type(bench::float_data);
  tensor.add_dims(4);
  for (const float scale : {1.0F, 1.0F, 2.0F, 1.5F}) tensor.add_float_data(scale);
  EXPECT_EQ(shape_text(model, model.add("Resize", {x, "", scales})), "[1, 3, 8, 7]");
  const Value unknown = model.add("Resize", {x, "", "", model.weight("lost", {4}, bench::int64_data)});
  EXPECT_EQ(shape_text(model, unknown), "[?, ?, ?, ?]");
}

TEST(ShapeRules, split_evenly_or_as_told) {
  ModelBuilder model("split", {.opset = 18});
  const Value x = model.input("x", {2, 10});
  const auto told = model.add_many("Split", {x, model.integers({3, 7})}, 2, {{"axis", Int{1}}});
  EXPECT_EQ(shape_text(model, told[0]), "[2, 3]");
  EXPECT_EQ(shape_text(model, told[1]), "[2, 7]");
  const auto evenly = model.add_many("Split", {x}, 3, {{"axis", Int{-1}}, {"num_outputs", Int{3}}});
  EXPECT_EQ(shape_text(model, evenly[0]), "[2, 4]");
  EXPECT_EQ(shape_text(model, evenly[2]), "[2, 2]");
}

// A typical exported graph: the batch size comes from Shape and the number of heads from a division; -1
// specifies the remaining dimension.
TEST(ShapeRules, compute_shapes_that_the_graph_computes) {
  ModelBuilder model("fold", {.opset = 13});
  const Value x = model.input("x", {2, 6, 20});
  const Value shape = model.add("Shape", {x});
  const Value batch = model.add("Gather", {shape, model.integer(0)});
  const Value width = model.add("Slice", {shape, model.integers({-1}), model.integers({INT64_MAX})});
  const Value size = model.add(
      "Cast",
      {model.add("Floor", {model.add("Div", {model.add("Cast", {width}, {{"to", Int{1}}}), model.real(3)})})},
      {{"to", Int{7}}});
  const Value target =
      model.add("Concat", {model.add("Unsqueeze", {batch, model.integers({0})}), model.integers({-1}), size},
                {{"axis", Int{0}}});
  EXPECT_EQ(shape_text(model, model.add("Reshape", {x, target})), "[2, 20, 6]");
  const Value count = model.add("ReduceProd", {shape}, {{"keepdims", Int{0}}});
  EXPECT_THAT(tensor_of(model, count).value->integers, ::testing::ElementsAre(240));
  const Value range = model.add("Range", {model.integer(7), model.integer(0), model.integer(-3)});
  EXPECT_THAT(tensor_of(model, range).value->integers, ::testing::ElementsAre(7, 4, 1));
  const Value is_batch = model.add("Equal", {shape, model.integers({2})});
  const Value replaced = model.add("Where", {is_batch, model.integers({1}), shape});
  EXPECT_THAT(tensor_of(model, replaced).value->integers, ::testing::ElementsAre(1, 6, 20));
}

TEST(ShapeRules, fall_back_to_libonnx) {
  ModelBuilder model("einsum", {});
  const Value y = model.add("Einsum", {model.input("a", {2, 5, 7}), model.input("b", {2, 7, 11})},
                            {{"equation", "bij,bjk->bik"}});
  EXPECT_EQ(tensor_of(model, y).shape->size(), 3U);
  const Value gathered = model.add(
      "GatherND", {model.input("data", {4, 5, 6}), model.weight("indices", {3, 2}, bench::int64_data)});
  EXPECT_EQ(shape_text(model, gathered), "[3, 6]");
}

TEST(ShapeRules, use_stated_shapes_for_unknown_operators) {
  ModelBuilder model("custom", {});
  model.proto().add_opset_import()->set_domain("custom");
  model.proto().mutable_opset_import(1)->set_version(1);
  const Value y = model.add("Mystery", {model.input("x", {1, 3, 8, 8})});
  model.proto().mutable_graph()->mutable_node(0)->set_domain("custom");
  EXPECT_EQ(shape_text(model, y), "unknown");
  model.name_next("conv");
  const Value z = model.add("Conv", {y, model.weight("w", {4, 3, 3, 3})});
  model.output(z);
  EXPECT_EQ(message_of(model), "built.onnx: node 'conv' (Conv): the shape of '" + y +
                                   "', made by node 'Mystery_1' (custom.Mystery), is not known; add it to "
                                   "the file (value_info) or export with fixed shapes");
  auto& info = *model.proto().mutable_graph()->add_value_info();
  info.set_name(y);
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(bench::float_data);
  for (const Int extent : {1, 3, 10, 12}) type.mutable_shape()->add_dim()->set_dim_value(extent);
  EXPECT_EQ(import_one(model).shape.bounds, (Extents{1, 4, 3, 8, 10, 3, 3, 1}));
  EXPECT_THAT(import_built(model).unmapped, ::testing::ElementsAre(UnmappedOperator{"custom.Mystery", 1}));
}

}  // namespace
}  // namespace nestor::io::shape_rules_test
