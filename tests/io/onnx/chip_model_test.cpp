// Tests of models with weights that are read from ONNX, quantised, compiled and run. Results are
// bit-identical to integer loops over the graph and close to the float graph. Faulty files cause an error of
// one line.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "chip_model_run.h"
#include "io/chip/npy.h"
#include "sim/chip/real_run.h"

namespace nestor::tests::chip_model_test {
namespace {

using bench::ModelBuilder;
using bench::ModelOptions;
using bench::Value;

struct Published {
  const char* name;
  bool quantised;
  Int image;
};
std::ostream& operator<<(std::ostream& out, const Published& model) {
  return out << model.name << (model.quantised ? " quantised" : "");
}
class PublishedModels : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedModels, ProgramsEqualTheIntegerLoops) {
  ModelOptions options;
  options.image = GetParam().image;
  options.quantised = GetParam().quantised;
  auto proto = example_model(GetParam().name, options);
  fill(proto, 1);
  if (const char* folder = std::getenv("NESTOR_KEEP_MODELS"))
    std::ofstream(fmt::format("{}/{}{}.onnx", folder, GetParam().name, options.quantised ? "-q" : ""),
                  std::ios::binary)
        << proto.SerializeAsString();
  const auto machine = isaac();
  const Model model = import_filled(proto, machine);
  ASSERT_TRUE(model.real.has_data);
  const auto numbers = quantised(model);
  Random random(2);
  const auto verdict = run_program(model, numbers, machine, random_input(model, random));
  ASSERT_TRUE(std::holds_alternative<Int>(verdict)) << std::get<std::string>(verdict);
  EXPECT_GT(std::get<Int>(verdict), 1000);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PublishedModels,
                         ::testing::Values(Published{"vgg7", false, 8}, Published{"resnet18", false, 32},
                                           Published{"mobilenetv2", false, 32},
                                           Published{"resnet18", true, 32}));

// Returns a model with one convolution, Flatten and a product, in which every weight has values.
::onnx::ModelProto small_model() {
  ModelBuilder model("small", {});
  const Value input = model.input("input", {1, 3, 6, 6});
  const Value conv = model.add("Conv", {input, model.weight("w", {4, 3, 3, 3}), model.weight("b", {4})},
                               {{"pads", std::vector<bench::Int>{1, 1, 1, 1}}});
  const Value flat = model.add("Flatten", {model.add("Relu", {conv})});
  model.output(model.add("Gemm", {flat, model.weight("v", {144, 5}), model.weight("c", {5})}));
  auto proto = model.proto();
  fill(proto, 3);
  return proto;
}

std::string import_message(const ::onnx::ModelProto& proto) {
  chip::RealModel real;
  const auto network =
      io::import_chip_model_bytes(proto.SerializeAsString(), "built.onnx", isaac(), {}, real);
  return network.ok() ? (real.has_data ? "accepted" : "without data") : network.error().to_string();
}

::onnx::TensorProto& weight_of(::onnx::ModelProto& proto) {
  return *proto.mutable_graph()->mutable_initializer(0);
}

TEST(ChipModel, HostileInitialisersGetOneLineErrors) {
  EXPECT_EQ(import_message(small_model()), "accepted");
  auto proto = small_model();
  weight_of(proto).mutable_raw_data()->resize(50);
  EXPECT_EQ(import_message(proto),
            "built.onnx: node 'Conv_1' (Conv): initializer 'w': its data does not have the 108 elements of "
            "its shape");
  proto = small_model();
  weight_of(proto).mutable_raw_data()->replace(0, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_EQ(import_message(proto),
            "built.onnx: node 'Conv_1' (Conv): initializer 'w': an element that is not finite");
  proto = small_model();
  weight_of(proto).clear_raw_data();
  weight_of(proto).set_data_location(::onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(import_message(proto),
            "built.onnx: node 'Conv_1' (Conv): initializer 'w': its data is in another file (external data); "
            "store it in the model");
  proto = small_model();
  weight_of(proto).clear_raw_data();
  EXPECT_EQ(import_message(proto), "built.onnx: the file has weights, but 'w' is described without its data");
  proto = small_model();
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) tensor.clear_raw_data();
  EXPECT_EQ(import_message(proto), "without data");
}

// A product after Flatten reads the elements of the image in the order of the file, as the float graph
// confirms.
TEST(ChipModel, FlattenKeepsTheOrderOfTheFile) {
  ModelBuilder builder("flat", {});
  const Value input = builder.input("input", {1, 2, 2, 3});
  builder.output(builder.add("Gemm", {builder.add("Flatten", {input}), builder.weight("v", {12, 1})}));
  auto proto = builder.proto();
  std::string raw;
  for (int i = 0; i < 12; ++i) {
    const auto x = static_cast<float>(i);
    raw.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  weight_of(proto).set_raw_data(raw);
  const Model model = import_filled(proto, isaac());
  ASSERT_TRUE(model.real.input);
  // Element i of the file has value i. On the chip, it has another index.
  std::vector<double> image(12);
  const auto places = model.real.input->places();
  for (std::size_t i = 0; i < 12; ++i) image[static_cast<std::size_t>(places[i])] = static_cast<double>(i);
  EXPECT_NE(places[1], 1);
  const auto made = sim::chip::run_reals(model.whole, model.real, image);
  ASSERT_TRUE(std::holds_alternative<std::vector<std::vector<double>>>(made));
  EXPECT_EQ(std::get<0>(made).back(), std::vector<double>{506});
}

// The reference computes QLinearConv and QLinearMatMul as ONNX defines them and rounds the exact ratio.
// Fixed-point multipliers may differ in the last unit if the ratio is halfway between integers.
TEST(ChipModel, QuantisedOperatorsGiveTheIntegersThatOnnxDefines) {
  constexpr std::size_t channels = 2, side = 6, kernels = 4, taps = 9, products = 5;
  constexpr std::size_t flat = kernels * side * side;
  ModelBuilder builder("qlinear", {});
  const auto one = [&](const char* name, int type) { return builder.weight(name, {}, type); };
  const Value conv = builder.add(
      "QLinearConv",
      {builder.input("x", {1, channels, side, side}, bench::uint8_data), one("xs", bench::float_data),
       one("xz", bench::uint8_data), builder.weight("w", {kernels, channels, 3, 3}, bench::int8_data),
       builder.weight("ws", {kernels}), one("wz", bench::int8_data), one("ys", bench::float_data),
       one("yz", bench::uint8_data), builder.weight("b", {kernels}, 6)},
      {{"pads", std::vector<bench::Int>{1, 1, 1, 1}}});
  builder.output(builder.add("QLinearMatMul", {builder.add("Flatten", {conv}), "ys", "yz",
                                               builder.weight("v", {flat, products}, bench::int8_data),
                                               one("vs", bench::float_data), one("vz", bench::int8_data),
                                               one("zs", bench::float_data), one("zz", bench::int8_data)}));
  auto proto = builder.proto();
  Random random(5);
  const auto integers = [&](std::size_t count, Int low, Int high) {
    std::vector<std::int8_t> made;
    for (std::size_t i = 0; i < count; ++i)
      made.push_back(static_cast<std::int8_t>(random.between(low, high)));
    return made;
  };
  const auto w = integers(kernels * channels * taps, -120, 120), v = integers(flat * products, -100, 100);
  std::vector<std::int32_t> b;
  std::vector<float> ws;
  for (std::size_t k = 0; k < kernels; ++k) {
    b.push_back(static_cast<std::int32_t>(random.between(-3000, 3000)));
    ws.push_back(0.004F + 0.003F * static_cast<float>(random.unit()));
  }
  constexpr float xs = 0.02F, ys = 0.06F, vs = 0.003F, zs = 0.5F;
  constexpr int xz = 119, wz = 3, yz = 141, vz = -2, zz = 7;
  set_data(proto, "w", w);
  set_data(proto, "v", v);
  set_data(proto, "b", b);
  set_data(proto, "ws", ws);
  for (const auto& [name, value] : {std::pair{"xs", xs}, {"ys", ys}, {"vs", vs}, {"zs", zs}})
    set_data(proto, name, std::vector<float>{value});
  for (const auto& [name, value] : {std::pair{"xz", xz}, {"wz", wz}, {"yz", yz}, {"vz", vz}, {"zz", zz}})
    set_data(proto, name, std::vector<std::uint8_t>{static_cast<std::uint8_t>(value)});

  const auto machine = isaac();
  const Model model = import_filled(proto, machine);
  ASSERT_TRUE(model.real.has_data);
  const auto numbers = quantised(model);
  const auto input = random_input(model, random);  // unsigned elements minus 128
  const auto verdict = run_program(model, numbers, machine, input);
  ASSERT_TRUE(std::holds_alternative<Int>(verdict)) << std::get<std::string>(verdict);
  const auto results = std::get<0>(sim::chip::model_results(model.whole, numbers, input));
  std::size_t apart = 0;
  const auto compare = [&](double exact, Int zero, Int low, Int high, Int found) {
    const auto rounded = std::clamp(static_cast<Int>(std::nearbyint(exact)) + zero, low, high);
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(rounded), 1);
    apart += found != rounded ? 1U : 0U;
  };
  const auto& image = results.front();  // output of the convolution, channels innermost
  for (std::size_t at = 0; at < side * side; ++at)
    for (std::size_t k = 0; k < kernels; ++k) {
      Int sum = b[k];
      for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t t = 0; t < taps; ++t) {
          const std::size_t y = at / side + t / 3, x = at % side + t % 3;
          if (y == 0 || x == 0 || y > side || x > side) continue;
          sum += (input[((y - 1) * side + x - 1) * channels + c] + 128 - xz) *
                 (w[(k * channels + c) * taps + t] - wz);
        }
      compare(static_cast<double>(sum) * xs * ws[k] / ys, yz, 0, 255, image[at * kernels + k] + 128);
    }
  for (std::size_t n = 0; n < products; ++n) {
    Int sum = 0;
    for (std::size_t at = 0; at < side * side; ++at)
      for (std::size_t k = 0; k < kernels; ++k)
        sum += (image[at * kernels + k] + 128 - yz) * (v[(k * side * side + at) * products + n] - vz);
    compare(static_cast<double>(sum) * ys * vs / zs, zz, -128, 127, results.back()[n]);
  }
  EXPECT_LE(apart, 1U);
}

}  // namespace
}  // namespace nestor::tests::chip_model_test
