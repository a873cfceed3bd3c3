// Tests that compare the shipped architectures and networks with published figures.
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/cim/architecture_file.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "places.h"
#include "support/cim_architectures.h"
#include "support/reference_data.h"

namespace nestor::io::shipped_data_test {
namespace {

TEST(ShippedArchitectures, AgreeWithTheReferenceFiles) {
  for (const std::string name :
       {"miredo-default", "miredo-transformer", "miredo-table4", "miredo-table4-printed"}) {
    const auto path = std::string(NESTOR_SHARED_DIR) + "/data/cim/" + name + ".json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
    const auto shipped = read_architecture(name);
    ASSERT_TRUE(shipped) << shipped.error().to_string();
    const auto reference = tests::load_reference_architecture(name);
    EXPECT_EQ(shipped->machine, reference.machine) << name;
    EXPECT_EQ(shipped->memory_names, reference.memory_names) << name;
    EXPECT_EQ(shipped->axis_names, reference.axis_names) << name;
  }
}

// A variant with groups equals the original machine, except that its core axis also accepts dimension G.
TEST(ShippedArchitectures, WithGroupsDifferOnlyInTheCoreAxis) {
  for (const std::string name : {"miredo-default", "miredo-transformer"}) {
    auto without = read_architecture(name);
    const auto groups = read_architecture(name + "-groups");
    ASSERT_TRUE(without && groups);
    EXPECT_FALSE(without->machine.axes[0].dims.contains(Dim::G));
    without->machine.axes[0].dims.insert(Dim::G);
    EXPECT_EQ(without->machine, groups->machine) << name;
  }
}

// The machine has at least the capacity that its arrays imply: one weight per cell, and registers as wide as
// the array.
TEST(ShippedArchitectures, HaveRegistersAsWideAsTheirArrays) {
  for (const auto& name : tests::shipped_cim_architectures()) {
    const auto read = read_architecture(name);
    ASSERT_TRUE(read) << read.error().to_string();
    const auto& machine = read->machine;
    const auto inner = [&](Operand operand) -> const Memory& {
      return machine.memories[machine.innermost(operand)];
    };
    // The axes below the innermost memory of W are the rows and columns of the array.
    Int rows = 1;
    Int columns = 1;
    for (std::size_t a = inner(Operand::W).axes_above; a < machine.axes.size(); ++a)
      (machine.axes[a].dims.contains(Dim::C) ? rows : columns) *= machine.axes[a].size;
    EXPECT_GE(inner(Operand::I).capacity, 8 * rows) << name;
    EXPECT_GE(inner(Operand::O).capacity, 16 * columns) << name;
    EXPECT_GE(inner(Operand::W).capacity, 2 * rows * columns) << name;
  }
}

// Multiply-accumulates and layers of one inference (with repeats; a grouped convolution is one layer). They
// are compared with the publications or, if those are rounded, with widely used implementations.
struct Published {
  const char* network;
  Int layers;
  double macs;
  double tolerance;  ///< relative rounding of the source
};

constexpr double millions = 1e6;
constexpr Published published[] = {
    {"resnet18", 21, 1814 * millions, 1e-3},    // 20 convolutions (3 shortcuts), 1 fully connected
    {"resnet34", 37, 3664 * millions, 1e-3},    // 36 and 1
    {"resnet50", 54, 4089 * millions, 1e-3},    // 53 and 1
    {"resnet101", 105, 7801 * millions, 1e-3},  // 104 and 1
    {"vgg16", 16, 15470 * millions, 1e-3},      // 13 and 3
    {"alexnet", 8, 724 * millions, 1e-3},       // 5 and 3
    {"mobilenetv2", 53, 300 * millions, 5e-3},  // 52 and 1; the paper says 300 M
    {"vit-b16", 362, 17560 * millions, 1e-3},   // 12 x (3 + 12 heads x 2 + 3), patches, head
    {"bert-base-128", 361, 22.5e9 / 2, 1e-2},   // 22.5 GFLOPs at 128 tokens (TinyBERT, Table 1)
    {"gpt2-medium-decode", 913, 354.8e6 + 2 * 24 * 1024 * 1024, 1e-2},  // a MAC per parameter, and attention
    {"mlperf-tiny-resnet8", 10, 12.5 * millions, 1e-2},
    {"mlperf-tiny-dscnn", 10, 2.7 * millions, 3e-2},
    {"mlperf-tiny-mobilenetv1", 28, 7.5 * millions, 1e-2},
    {"mlperf-tiny-autoencoder", 10, 0.264 * millions, 1e-2},
};

Int total_macs(const Network& network) {
  Int total = 0;
  for (const auto& layer : network.layers) {
    Int macs = layer.repeat;
    for (const auto bound : layer.shape.bounds) macs *= bound;
    total += macs;
  }
  return total;
}

TEST(ShippedNetworks, HaveThePublishedSize) {
  for (const auto& expected : published) {
    const auto network = read_layers(expected.network);
    ASSERT_TRUE(network) << network.error().to_string();
    const auto macs = static_cast<double>(total_macs(*network));
    EXPECT_NEAR(macs / expected.macs, 1, expected.tolerance) << expected.network << ": " << macs;
    Int layers = 0;
    for (const auto& layer : network->layers) layers += layer.repeat / layer.groups;
    EXPECT_EQ(layers, expected.layers) << expected.network;
  }
}

// Each token takes 12 d^2 multiply-accumulates per block for the weights and 2 n d per block for attention.
// The head takes d V, for one token only.
TEST(ShippedNetworks, PrefillIsDecodeTimesThePromptExceptTheHead) {
  const auto prefill = read_layers("gpt2-medium-prefill");
  ASSERT_TRUE(prefill) << prefill.error().to_string();
  const Int n = 1024;
  const Int d = 1024;
  EXPECT_EQ(total_macs(*prefill), 24 * n * (12 * d * d + 2 * n * d) + d * 50257);
}

// Every layer can read the output of an earlier layer. Its C equals the K of the earlier layer, or 49 times K
// if an image of 7 x 7 is flattened. Its output height times its stride equals or is a multiple of the
// earlier output height.
TEST(ShippedNetworks, ConvolutionsConnect) {
  for (const char* name : {"resnet18", "resnet34", "resnet50", "resnet101", "vgg16", "mobilenetv2",
                           "mlperf-tiny-resnet8", "mlperf-tiny-mobilenetv1"}) {
    const auto network = read_layers(name);
    ASSERT_TRUE(network) << network.error().to_string();
    std::vector<std::pair<Int, Int>> outputs;  // channels, height
    for (const auto& layer : network->layers) {
      const Int channels = layer.shape.bound(Dim::C) * layer.groups;
      const Int height = layer.shape.bound(Dim::P) * layer.shape.stride[0];
      // Pooling between layers changes only the height.
      bool connects = outputs.empty();
      for (const auto& [k, p] : outputs)
        connects = connects || ((k == channels || channels == k * 49) && (p == height || p % height == 0));
      EXPECT_TRUE(connects) << name << " " << layer.name;
      outputs.emplace_back(layer.shape.bound(Dim::K) * layer.groups, layer.shape.bound(Dim::P));
    }
  }
}

TEST(FindData, SuggestsTheNearestName) {
  const auto read = read_architecture("miredo-defualt");
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().to_string().starts_with(
      "no architecture 'miredo-defualt' (did you mean 'miredo-default'?), expected a file or one of: "))
      << read.error().to_string();
  EXPECT_FALSE(read_layers("resnet19"));
}

TEST(FindData, AcceptsPathsUnchanged) {
  const auto read = read_architecture("./no/such/machine.yaml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().to_string(), "./no/such/machine.yaml: no such file");
}

TEST(FindData, SearchesTheDirectoryOfTheEnvironment) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "nestor-data" / "networks";
  std::filesystem::create_directories(folder);
  ASSERT_FALSE(write_file(folder / "mine.yaml", "name: mine\nlayers: [{dims: {K: 2}}]\n"));
  ::setenv("NESTOR_DATA", folder.parent_path().c_str(), 1);
  const auto network = read_layers("mine");
  const auto names = shipped_names(DataKind::network);
  ::unsetenv("NESTOR_DATA");
  ASSERT_TRUE(network) << network.error().to_string();
  EXPECT_EQ(network->name, "mine");
  EXPECT_EQ(names, std::vector<std::string>{"mine"});
  std::filesystem::remove_all(folder.parent_path());
}

}  // namespace
}  // namespace nestor::io::shipped_data_test
