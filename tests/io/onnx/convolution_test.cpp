// Tests of the import of convolutions as layers, with every attribute that changes a bound.
#include "io/onnx/built_model.h"

namespace nestor::io::convolution_test {
namespace {

using ::testing::HasSubstr;

// Returns a model of one convolution over `input` with `weight`.
ModelBuilder convolution(const Shape& input, const Shape& weight, const Attributes& attributes) {
  ModelBuilder model("conv", {});
  model.name_next("conv");
  model.output(model.add("Conv", {model.input("x", input), model.weight("w", weight)}, attributes));
  return model;
}

using Ints = std::vector<Int>;

TEST(Convolution, takes_strides_dilations_and_uneven_pads_per_axis) {
  const Layer layer = import_one(
      convolution({2, 6, 17, 19}, {8, 6, 3, 5},
                  {{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"pads", Ints{1, 0, 2, 3}}}));
  EXPECT_EQ(layer.name, "conv");
  // P = (17 + 1 + 2 - 3) / 2 + 1, Q = 19 + 0 + 3 - (2 * 4 + 1) + 1
  EXPECT_EQ(layer.shape.bounds, (Extents{2, 8, 6, 9, 14, 3, 5, 1}));
  EXPECT_EQ(layer.shape.stride, (std::array<Int, 2>{2, 1}));
  EXPECT_EQ(layer.shape.dilation, (std::array<Int, 2>{1, 2}));
  EXPECT_EQ(layer.groups, 1);
  EXPECT_EQ(layer.repeat, 1);
}

TEST(Convolution, defaults_to_unit_strides_and_no_pads) {
  EXPECT_EQ(import_one(convolution({1, 3, 8, 9}, {4, 3, 3, 2}, {})).shape.bounds,
            (Extents{1, 4, 3, 6, 8, 3, 2, 1}));
}

TEST(Convolution, with_auto_pad_SAME_rounds_up_and_VALID_pads_nothing) {
  const auto outputs = [](const std::string& auto_pad, Int stride) {
    const Layer layer = import_one(convolution({1, 3, 15, 16}, {4, 3, 4, 3},
                                               {{"auto_pad", auto_pad}, {"strides", Ints{stride, stride}}}));
    return std::pair(layer.shape.bound(Dim::P), layer.shape.bound(Dim::Q));
  };
  EXPECT_EQ(outputs("SAME_UPPER", 1), std::pair(Int{15}, Int{16}));
  EXPECT_EQ(outputs("SAME_LOWER", 2), std::pair(Int{8}, Int{8}));
  EXPECT_EQ(outputs("SAME_UPPER", 3), std::pair(Int{5}, Int{6}));
  EXPECT_EQ(outputs("VALID", 1), std::pair(Int{12}, Int{14}));
  EXPECT_EQ(outputs("VALID", 3), std::pair(Int{4}, Int{5}));
  EXPECT_EQ(outputs("NOTSET", 3), std::pair(Int{4}, Int{5}));
}

TEST(Convolution, in_groups_is_one_nest_per_group) {
  const Layer layer = import_one(convolution({1, 12, 8, 8}, {20, 3, 3, 3}, {{"group", Int{4}}}));
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 5, 3, 6, 6, 3, 3, 1}));
  EXPECT_EQ(layer.groups, 4);
  EXPECT_EQ(layer.repeat, 4);
}

TEST(Convolution, depthwise_with_a_multiplier_keeps_the_multiplier) {
  const Layer layer = import_one(convolution({1, 16, 8, 8}, {32, 1, 3, 3}, {{"group", Int{16}}}));
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 2, 1, 6, 6, 3, 3, 1}));
  EXPECT_EQ(layer.repeat, 16);
}

TEST(Convolution, in_one_dimension_leaves_Q_and_S_at_1) {
  const Layer layer = import_one(convolution(
      {4, 40, 100}, {64, 40, 9}, {{"strides", Ints{2}}, {"dilations", Ints{3}}, {"pads", Ints{4, 4}}}));
  EXPECT_EQ(layer.shape.bounds, (Extents{4, 64, 40, (100 + 8 - 25) / 2 + 1, 1, 9, 1, 1}));
  EXPECT_EQ(layer.shape.stride, (std::array<Int, 2>{2, 1}));
  EXPECT_EQ(layer.shape.dilation, (std::array<Int, 2>{3, 1}));
}

TEST(Convolution, in_three_dimensions_is_refused) {
  EXPECT_EQ(message_of(convolution({1, 3, 8, 8, 8}, {4, 3, 3, 3, 3}, {})),
            "built.onnx: node 'conv' (Conv): its weight has the shape [4, 3, 3, 3, 3]; only 1-D and 2-D "
            "convolutions are supported");
}

TEST(Convolution, transposed_is_refused) {
  ModelBuilder model("up", {});
  model.name_next("up");
  model.output(model.add("ConvTranspose", {model.input("x", {1, 8, 7, 7}), model.weight("w", {8, 4, 2, 2})}));
  EXPECT_THAT(message_of(model),
              HasSubstr("node 'up' (ConvTranspose): transposed convolution cannot be mapped"));
}

TEST(Convolution, must_agree_with_its_kernel_shape) {
  EXPECT_THAT(message_of(convolution({1, 3, 8, 8}, {4, 3, 3, 3}, {{"kernel_shape", Ints{3, 5}}})),
              HasSubstr("'kernel_shape' is [3, 5], but its weight has the shape [4, 3, 3, 3]"));
}

TEST(Convolution, reads_weights_that_the_graph_computes) {
  ModelBuilder model("made", {});
  const Value weight = model.add("ConstantOfShape", {model.integers({4, 3, 3, 3})});
  const Value turned = model.add("Transpose", {weight}, {{"perm", Ints{0, 1, 3, 2}}});
  model.output(model.add("Conv", {model.input("x", {1, 3, 8, 8}), turned}));
  EXPECT_EQ(import_one(model).shape.bounds, (Extents{1, 4, 3, 6, 6, 3, 3, 1}));
}

TEST(Convolution, without_names_takes_the_name_of_its_output) {
  ModelBuilder model("unnamed", {});
  const Value x = model.input("x", {1, 3, 8, 8});
  const Value w = model.weight("w", {3, 3, 1, 1});
  const Value first = model.add("Conv", {x, w});
  model.output(model.add("Conv", {first, w}));
  for (auto& node : *model.proto().mutable_graph()->mutable_node()) node.clear_name();
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].name, first);
}

TEST(Convolution, names_stay_unique) {
  ModelBuilder model("twice", {});
  const Value x = model.input("x", {1, 3, 8, 8});
  const Value w = model.weight("w", {3, 3, 1, 1});
  model.output(model.add("Conv", {model.add("Conv", {x, w}), w}));
  for (auto& node : *model.proto().mutable_graph()->mutable_node()) node.set_name("same");
  const Network network = import_built(model);
  ASSERT_EQ(network.layers.size(), 2U);
  EXPECT_EQ(network.layers[0].name, "same");
  EXPECT_EQ(network.layers[1].name, "same#2");
}

}  // namespace
}  // namespace nestor::io::convolution_test
