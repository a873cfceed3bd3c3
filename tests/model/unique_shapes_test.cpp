// Tests of unique_shapes(), which groups the layers of a network by shape.
#include "model/workload/unique_shapes.h"

#include <gmock/gmock.h>

#include <limits>

namespace nestor::unique_shapes_test {
namespace {

using ::testing::ElementsAre;

Layer layer(Int k, Int repeat = 1) {
  Layer result;
  result.shape.bounds[index_of(Dim::K)] = k;
  result.repeat = repeat;
  return result;
}

TEST(UniqueShapes, group_layers_by_shape_in_order_of_first_appearance) {
  const std::vector<Layer> layers = {layer(64), layer(32, 2), layer(64, 3), layer(16), layer(32)};
  const auto unique = unique_shapes(layers);
  ASSERT_TRUE(unique.has_value());
  EXPECT_THAT(unique->shapes, ElementsAre(UniqueShape{0, 4}, UniqueShape{1, 3}, UniqueShape{3, 1}));
  EXPECT_THAT(unique->shape_of_layer, ElementsAre(0, 1, 0, 2, 1));
}

TEST(UniqueShapes, distinguish_every_part_of_a_shape) {
  std::vector<Layer> layers(10);
  for (std::size_t i = 0; i < dim_count; ++i) layers[i].shape.bounds[i] = 2;
  layers[7].shape.stride[1] = 2;
  layers[8].shape.dilation[0] = 2;
  layers[9].shape.bits.partial_sum = 24;
  EXPECT_EQ(unique_shapes(layers)->shapes.size(), layers.size());
}

TEST(UniqueShapes, merge_equal_shapes_around_one_that_differs_only_in_relevance) {
  std::vector<Layer> layers = {layer(8), layer(8), layer(8)};
  layers[1].shape.relevance = Relevance::elementwise();
  EXPECT_THAT(unique_shapes(layers)->shapes, ElementsAre(UniqueShape{0, 2}, UniqueShape{1, 1}));
}

TEST(UniqueShapes, ignore_name_and_group_count) {
  std::vector<Layer> layers = {layer(8), layer(8)};
  layers[1].name = "other";
  layers[1].groups = 4;
  EXPECT_THAT(unique_shapes(layers)->shapes, ElementsAre(UniqueShape{0, 2}));
}

TEST(UniqueShapes, refuse_a_repeat_that_overflows) {
  const std::vector<Layer> layers = {layer(8, std::numeric_limits<Int>::max()), layer(8)};
  EXPECT_FALSE(unique_shapes(layers).has_value());
}

TEST(UniqueShapes, are_empty_without_layers) { EXPECT_TRUE(unique_shapes({})->shapes.empty()); }

}  // namespace
}  // namespace nestor::unique_shapes_test
