// Models with weights, read from ONNX, quantised, compiled and run: bit by bit the integer loops over the
// graph, near the float graph, and in one line what is wrong with a file.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "filled_model.h"
#include "heuristics/chip/baselines.h"
#include "io/chip/machine_file.h"
#include "io/chip/npy.h"
#include "io/chip/onnx/import.h"
#include "model/chip/program/generate.h"
#include "model/chip/split.h"
#include "sim/chip/agreement.h"
#include "sim/chip/model_reference.h"
#include "sim/chip/quantise.h"
#include "sim/chip/real_run.h"

namespace nestor::test {
namespace {

using bench::ModelBuilder;
using bench::ModelOptions;
using bench::Value;

struct Model {
  chip::ChipNetwork whole;
  chip::RealModel real;
};

Model import_filled(const ::onnx::ModelProto& proto, const chip::ChipMachine& machine) {
  Model made;
  auto network = io::import_chip_model_bytes(proto.SerializeAsString(), "built.onnx", machine, {}, made.real);
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  if (network) made.whole = std::move(*network);
  return made;
}

chip_program::ProgramNumbers quantised(const Model& model, bool per_tensor = false) {
  auto numbers = sim::chip::quantise(model.whole, model.real, {{}, per_tensor});
  if (const auto* fault = std::get_if<sim::chip::Fault>(&numbers))
    return ADD_FAILURE() << fault->message, chip_program::ProgramNumbers{};
  return std::get<0>(std::move(numbers));
}

std::vector<Int> random_input(const Model& model, Random& random) {
  const auto& input = model.whole.inputs.front();
  std::vector<Int> made;
  for (Int i = 0; i < input.rows * input.width * input.channels; ++i)
    made.push_back(random.between(-127, 127));
  return made;
}

// Elements compared; a message where they differ.
std::variant<Int, std::string> run_program(const Model& model, const chip_program::ProgramNumbers& numbers,
                                           const chip::ChipMachine& machine, const std::vector<Int>& input) {
  auto network = model.whole;
  if (const auto refused = chip::split(machine, network)) return refused->message;
  const auto problem = chip::make_problem(machine, network);
  auto decisions = chip::run_baseline(problem, chip::CompileMethod::cim_mlc, chip::offered(machine.mode));
  if (!decisions) return "no schedule";
  const auto evaluation = chip::evaluate(problem, *decisions);
  auto program = chip_program::generate(problem, *decisions, evaluation);
  program.numbers = std::make_shared<const chip_program::ProgramNumbers>(
      chip_program::cut_numbers(model.whole, numbers, network));
  const auto expected = sim::chip::model_results(model.whole, numbers, input);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&expected)) return fault->message;
  const auto made = sim::chip::execute(program, machine, {}, {&input, {}});
  if (const auto* fault = std::get_if<sim::chip::Fault>(&made)) return fault->message;
  const auto verdict =
      sim::chip::compare_with_results(model.whole, program, std::get<0>(made), std::get<0>(expected));
  if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict)) return fault->message;
  return std::get<Int>(verdict);
}

chip::ChipMachine isaac(chip::Mode mode = chip::Mode::XBM) {
  auto machine = *io::read_chip_machine("isaac-table3");
  machine.mode = mode;
  machine.cell.adc = 0;  // exact
  return machine;
}

struct Published {
  const char* name;
  bool quantised;
  Int image;
};
std::ostream& operator<<(std::ostream& out, const Published& model) {
  return out << model.name << (model.quantised ? " quantised" : "");
}
class PublishedModels : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedModels, ProgramsGiveWhatTheIntegerLoopsGive) {
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

// One convolution and a product behind Flatten, with all kinds of weights filled.
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

TEST(ChipModel, HostileInitialisersGetOneLine) {
  EXPECT_EQ(import_message(small_model()), "accepted");
  auto proto = small_model();
  weight_of(proto).mutable_raw_data()->resize(50);
  EXPECT_EQ(
      import_message(proto),
      "built.onnx: node 'Conv_1' (Conv): initializer 'w': its data has not the 108 elements of its shape");
  proto = small_model();
  weight_of(proto).mutable_raw_data()->replace(0, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_EQ(import_message(proto),
            "built.onnx: node 'Conv_1' (Conv): initializer 'w': an element that is not finite");
  proto = small_model();
  weight_of(proto).clear_raw_data();
  weight_of(proto).set_data_location(::onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(
      import_message(proto),
      "built.onnx: node 'Conv_1' (Conv): initializer 'w': its data lies in another file (external data); "
      "store it in the model");
  proto = small_model();
  weight_of(proto).clear_raw_data();
  EXPECT_EQ(import_message(proto), "built.onnx: the file has weights, but 'w' is described without its data");
  proto = small_model();
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) tensor.clear_raw_data();
  EXPECT_EQ(import_message(proto), "without data");
}

// A product behind Flatten reads the image in the order of the file: the float graph says so.
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
  // Element i of the file is i; on the chip it lies at its place.
  std::vector<double> image(12);
  const auto places = model.real.input->places();
  for (std::size_t i = 0; i < 12; ++i) image[static_cast<std::size_t>(places[i])] = static_cast<double>(i);
  EXPECT_NE(places[1], 1);
  const auto made = sim::chip::run_reals(model.whole, model.real, image);
  ASSERT_TRUE(std::holds_alternative<std::vector<std::vector<double>>>(made));
  EXPECT_EQ(std::get<0>(made).back(), std::vector<double>{506});
}

}  // namespace
}  // namespace nestor::test
