// Tests of the reader and the writer of layer files: defaults, keys, options that change layers, and sizes
// that overflow.
#include "io/layer_file.h"

#include <gtest/gtest.h>

namespace nestor::io::layer_file_test {
namespace {

Layer only_layer(const std::string& fields, const LayerOptions& options = {}) {
  const auto network = parse_layers("layers: [{" + fields + "}]", "in.yaml", options);
  EXPECT_TRUE(network) << network.error().to_string();
  return network ? network->layers.at(0) : Layer{};
}

TEST(LayerFile, FillsInDefaults) {
  const auto layer = only_layer("name: fc, dims: {K: 10, C: 20}");
  EXPECT_EQ(layer.name, "fc");
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 10, 20, 1, 1, 1, 1, 1}));
  EXPECT_EQ(layer.shape.bits, BitWidths{});
  EXPECT_EQ(layer.repeat, 1);
}

TEST(LayerFile, ReadsEveryKey) {
  const auto layer = only_layer(
      "name: c, dims: {N: 2, K: 4, C: 6, P: 7, Q: 8, R: 3, S: 5}, stride: [2, 3], dilation: [1, 2], groups: "
      "2, "
      "repeat: 3, bits: {I: 4, W: 2, O: 6, psum: 20}");
  EXPECT_EQ(layer.shape.bounds, (Extents{2, 2, 3, 7, 8, 3, 5, 1}));
  EXPECT_EQ(layer.shape.stride, (std::array<Int, 2>{2, 3}));
  EXPECT_EQ(layer.shape.dilation, (std::array<Int, 2>{1, 2}));
  EXPECT_EQ(layer.shape.bits, (BitWidths{4, 2, 6, 20}));
  EXPECT_EQ(layer.groups, 2);
  EXPECT_EQ(layer.repeat, 6);
}

TEST(LayerFile, BatchWidensLayersAndRepeatsProductsOfActivations) {
  const LayerOptions options{.bits = std::nullopt, .batch = 4};
  const auto weighted = only_layer("dims: {K: 8, C: 2}, groups: 2", options);
  EXPECT_EQ(weighted.shape.bound(Dim::N), 4);
  EXPECT_EQ(weighted.repeat, 2);
  const auto attention = only_layer("dims: {K: 8, C: 2}, groups: 2, activation_product: true", options);
  EXPECT_EQ(attention.shape.bound(Dim::N), 1);
  EXPECT_EQ(attention.repeat, 8);
}

TEST(LayerFile, BitsOptionOverridesTheFile) {
  const auto bits = parse_bits_option("4,4,8,24");
  ASSERT_TRUE(bits);
  EXPECT_EQ(only_layer("dims: {}, bits: {I: 16}", {.bits = *bits}).shape.bits, (BitWidths{4, 4, 8, 24}));
  for (const char* wrong :
       {"", "8", "8,8,8", "8,8,8,32,", "8,8,8,32,1", "8,8,8,x", "0,8,8,8", "8,,8,8", " 8,8,8,8"})
    EXPECT_FALSE(parse_bits_option(wrong)) << wrong;
}

TEST(LayerFile, RoundTripsUnchanged) {
  const auto layer = only_layer("name: dw, dims: {K: 32, C: 32, P: 9, R: 3}, groups: 32, repeat: 2");
  const auto again = parse_layers(to_text(network_to_json({"net", {layer}, {}})), "again.json");
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->layers.at(0), layer);
  EXPECT_EQ(again->name, "net");
}

TEST(LayerFile, SizesThatOverflowAreRefusedNotWrapped) {
  const auto network =
      parse_layers("layers:\n  - {name: x, dims: {N: 2147483648, K: 2147483648, C: 2147483648}}", "in.yaml");
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().to_string(),
            "in.yaml:2:5: layer 'x' is too large: more than 2^56 multiply-accumulates");
}

}  // namespace
}  // namespace nestor::io::layer_file_test
