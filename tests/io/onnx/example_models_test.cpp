// Tests that compare the layer file of every shipped network with a generated ONNX model of this network. The
// two were written independently from the publications, so their agreement supports both.
#include "bench/onnx/example_models.h"

#include <gmock/gmock.h>

#include <map>
#include <tuple>

#include "io/layer_file.h"
#include "io/onnx/import.h"

namespace nestor::io::example_models_test {
namespace {

// Number of times that a network runs a shape: bounds, strides, dilations and bit widths.
using Shapes = std::map<std::tuple<Extents, std::array<Int, 2>, std::array<Int, 2>, std::array<Int, 4>>, Int>;

Shapes shapes_of(const Network& network) {
  Shapes shapes;
  for (const Layer& layer : network.layers) {
    const BitWidths& bits = layer.shape.bits;
    shapes[{layer.shape.bounds,
            layer.shape.stride,
            layer.shape.dilation,
            {bits.input, bits.weight, bits.output, bits.partial_sum}}] += layer.repeat;
  }
  return shapes;
}

Int products(const Network& network) {
  Int sum = 0;
  for (const Layer& layer : network.layers) {
    Int count = layer.repeat;
    for (const Int bound : layer.shape.bounds) count *= bound;
    sum += count;
  }
  return sum;
}

Network import(const bench::ExampleModel& example, const bench::ModelOptions& model,
               const OnnxOptions& options = {}) {
  auto network =
      import_onnx_bytes(bench::make_model(example, model), std::string(example.name) + ".onnx", options);
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  return network.ok() ? *network : Network{};
}

class ExampleModels : public ::testing::TestWithParam<bench::ExampleModel> {
 protected:
  void SetUp() override {
    auto network = read_layers(std::string(GetParam().name));
    ASSERT_TRUE(network.ok()) << network.error().to_string();
    shipped_ = *network;
  }
  Network shipped_;
};

TEST_P(ExampleModels, have_the_shapes_of_the_layer_file_at_every_opset) {
  for (const Int opset : {11, 13, 17, 18, 20, 23}) {
    EXPECT_EQ(shapes_of(import(GetParam(), {.opset = opset})), shapes_of(shipped_)) << "opset " << opset;
  }
}

TEST_P(ExampleModels, need_no_weights_in_any_form) {
  for (const auto storage : {bench::WeightStorage::described, bench::WeightStorage::external,
                             bench::WeightStorage::listed, bench::WeightStorage::inputs}) {
    EXPECT_EQ(shapes_of(import(GetParam(), {.weights = storage})), shapes_of(shipped_));
  }
}

TEST_P(ExampleModels, keep_their_shapes_when_quantised) {
  // Quantised tensors have 8 bits. The result of the last layer is not quantised and has the default width,
  // which is also 8 bits. So all widths are equal to those of the layer file.
  EXPECT_EQ(shapes_of(import(GetParam(), {.quantised = true})), shapes_of(shipped_));
}

TEST_P(ExampleModels, take_a_symbolic_batch) {
  const bench::ModelOptions open = {.symbolic_batch = true};
  EXPECT_EQ(shapes_of(import(GetParam(), open)), shapes_of(shipped_)) << "a batch of 1 by default";
  EXPECT_EQ(products(import(GetParam(), open, {.batch = 3})), 3 * products(shipped_));
}

INSTANTIATE_TEST_SUITE_P(Shipped, ExampleModels,
                         ::testing::ValuesIn(bench::example_models().begin(), bench::example_models().end()),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace nestor::io::example_models_test
