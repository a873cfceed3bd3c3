// Comparison of networks exported by other tools with figures derived by hand from the published
// architectures (Krizhevsky 2012 as in Caffe's two-group form, Simonyan 2014, He 2015, Sandler 2018). All
// kernels and outputs of these networks are square, so one line of a table describes a layer.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "io/onnx/import.h"
#include "places.h"

namespace nestor::io::published_test {
namespace {

struct Line {
  Int filters, channels, output, kernel, stride;
  Int repeat = 1;  ///< number of groups
  int layers = 1;  ///< number of equal layers in the network
  friend bool operator<=>(const Line&, const Line&) = default;
};

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << "K" << line.filters << " C" << line.channels << " P" << line.output << " R" << line.kernel
             << " stride " << line.stride << " x" << line.repeat;
}

std::vector<Line> unfolded(const std::vector<Line>& table) {
  std::vector<Line> lines;
  for (Line line : table) {
    const int layers = std::exchange(line.layers, 1);
    lines.insert(lines.end(), static_cast<std::size_t>(layers), line);
  }
  return lines;
}

std::vector<Line> lines_of(const Network& network) {
  std::vector<Line> lines;
  for (const Layer& layer : network.layers) {
    const LayerShape& shape = layer.shape;
    EXPECT_EQ(shape.bound(Dim::N), 1) << layer.name;
    EXPECT_EQ(shape.bound(Dim::P), shape.bound(Dim::Q)) << layer.name;
    EXPECT_EQ(shape.bound(Dim::R), shape.bound(Dim::S)) << layer.name;
    EXPECT_EQ(shape.stride[0], shape.stride[1]) << layer.name;
    EXPECT_EQ(shape.dilation, (std::array<Int, 2>{1, 1})) << layer.name;
    EXPECT_EQ(shape.bits, BitWidths{}) << layer.name;
    EXPECT_EQ(layer.groups, layer.repeat) << layer.name;
    lines.push_back({shape.bound(Dim::K), shape.bound(Dim::C), shape.bound(Dim::P), shape.bound(Dim::R),
                     shape.stride[0], layer.repeat});
  }
  return lines;
}

class Published : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder())) GTEST_SKIP() << "no reference models at " << folder();
  }
  static std::filesystem::path folder() { return std::filesystem::path(NESTOR_SHARED_DIR) / "data/onnx"; }

  static Network import(const std::string& file) {
    auto network = import_onnx(folder() / file);
    EXPECT_TRUE(network.ok()) << network.error().to_string();
    return network.ok() ? *network : Network{};
  }

  static Int unmapped(const Network& network, const std::string& type) {
    for (const auto& entry : network.unmapped) {
      if (entry.type == type) return entry.count;
    }
    return 0;
  }
};

TEST_F(Published, alexnet_has_5_convolutions_of_which_3_in_two_groups_and_3_products) {
  const Network network = import("alexnet.onnx");
  EXPECT_EQ(network.name, "alexnet");
  // The export uses images of 224 pixels without padding: (224 - 11) / 4 + 1 = 54, pooled to 26 and 12.
  EXPECT_THAT(lines_of(network), ::testing::ElementsAreArray(std::vector<Line>{
                                     {96, 3, 54, 11, 4},
                                     {128, 48, 26, 5, 1, 2},
                                     {384, 256, 12, 3, 1},
                                     {192, 192, 12, 3, 1, 2},
                                     {128, 192, 12, 3, 1, 2},
                                     {4096, 256 * 6 * 6, 1, 1, 1},
                                     {4096, 4096, 1, 1, 1},
                                     {1000, 4096, 1, 1, 1},
                                 }));
  EXPECT_EQ(unmapped(network, "LRN"), 2);
}

TEST_F(Published, vgg19_has_16_convolutions_and_3_products) {
  EXPECT_THAT(lines_of(import("light_vgg19.onnx")), ::testing::UnorderedElementsAreArray(unfolded({
                                                        {64, 3, 224, 3, 1},
                                                        {64, 64, 224, 3, 1},
                                                        {128, 64, 112, 3, 1},
                                                        {128, 128, 112, 3, 1},
                                                        {256, 128, 56, 3, 1},
                                                        {256, 256, 56, 3, 1, 1, 3},
                                                        {512, 256, 28, 3, 1},
                                                        {512, 512, 28, 3, 1, 1, 3},
                                                        {512, 512, 14, 3, 1, 1, 4},
                                                        {4096, 512 * 7 * 7, 1, 1, 1},
                                                        {4096, 4096, 1, 1, 1},
                                                        {1000, 4096, 1, 1, 1},
                                                    })));
}

TEST_F(Published, resnet18_has_20_convolutions_and_1_product) {
  const Network network = import("resnet18.onnx");
  std::vector<Line> table = {{64, 3, 112, 7, 2}, {64, 64, 56, 3, 1, 1, 4}, {1000, 512, 1, 1, 1}};
  for (const Int width : {128, 256, 512}) {
    const Int output = 56 * 64 / width;
    table.push_back({width, width / 2, output, 3, 2});
    table.push_back({width, width / 2, output, 1, 2});  // shortcut
    table.push_back({width, width, output, 3, 1, 1, 3});
  }
  EXPECT_THAT(lines_of(network), ::testing::UnorderedElementsAreArray(unfolded(table)));
  EXPECT_EQ(network.layers.size(), 21U);
  EXPECT_EQ(unmapped(network, "Relu"), 17);
  EXPECT_EQ(unmapped(network, "Add"), 8);
}

TEST_F(Published, resnet50_has_53_convolutions_and_1_product_with_weights_made_by_ConstantOfShape) {
  const Network network = import("light_resnet50.onnx");
  std::vector<Line> table = {{64, 3, 112, 7, 2}, {1000, 2048, 1, 1, 1}};
  const std::array<int, 4> blocks = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    const Int width = Int{64} << stage;
    const Int output = Int{56} >> stage;
    const Int before = stage == 0 ? 64 : 2 * width;
    const Int stride = stage == 0 ? 1 : 2;
    // In this export, the 3x3 convolution of a block has the stride, so the first 1x1 convolution has the
    // larger input.
    table.push_back({width, before, output * stride, 1, 1});
    table.push_back({width, width, output, 3, stride});
    table.push_back({4 * width, before, output, 1, stride});  // shortcut
    const int more = blocks[static_cast<std::size_t>(stage)] - 1;
    table.push_back({width, 4 * width, output, 1, 1, 1, more});
    table.push_back({width, width, output, 3, 1, 1, more});
    table.push_back({4 * width, width, output, 1, 1, 1, more + 1});
  }
  EXPECT_THAT(lines_of(network), ::testing::UnorderedElementsAreArray(unfolded(table)));
  EXPECT_EQ(network.layers.size(), 54U);
  EXPECT_EQ(unmapped(network, "BatchNormalization"), 53);
}

TEST_F(Published, mobilenetv2_has_52_convolutions_of_which_17_depthwise_and_1_product) {
  const Network network = import("mobilenetv2.onnx");
  std::vector<Line> table = {{32, 3, 112, 3, 2}, {1280, 320, 7, 1, 1}, {1000, 1280, 1, 1, 1}};
  struct Stage {
    Int expansion, width;
    int blocks;
    Int stride;
  };
  Int channels = 32;
  Int extent = 112;
  for (const Stage& stage : {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
                             Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
    for (int block = 0; block < stage.blocks; ++block) {
      const Int stride = block == 0 ? stage.stride : 1;
      const Int inner = channels * stage.expansion;
      if (stage.expansion != 1) table.push_back({inner, channels, extent, 1, 1});
      extent /= stride;
      table.push_back({1, 1, extent, 3, stride, inner});  // depthwise: one group per channel
      table.push_back({stage.width, inner, extent, 1, 1});
      channels = stage.width;
    }
  }
  EXPECT_THAT(lines_of(network), ::testing::UnorderedElementsAreArray(unfolded(table)));
  EXPECT_EQ(network.layers.size(), 53U);
  const auto depthwise = [](const Layer& layer) { return layer.groups > 1; };
  EXPECT_EQ(std::count_if(network.layers.begin(), network.layers.end(), depthwise), 17);
}

}  // namespace
}  // namespace nestor::io::published_test
