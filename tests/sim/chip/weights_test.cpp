// Tests of programs that contain the weights and quantisation of a model. Their results must equal those of
// plain integer loops over the model's operators. The networks, weights, scales and zero points are random;
// the networks may be split, segmented or streamed. Weight files are read back unchanged, and joined pieces
// equal the whole.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

#include "io/chip/program/program_file.h"
#include "io/chip/program/weights_file.h"
#include "model/chip/program/generate.h"
#include "sim/chip/agreement.h"
#include "sim/chip/model_reference.h"
#include "sim/chip/quantise.h"
#include "support/chip_cases.h"

namespace nestor::tests::weights_test {
namespace {

using chip::FunctionKind;

std::vector<double> random_reals(std::size_t count, double most, Random& random) {
  std::vector<double> made(count);
  for (double& x : made) x = most * (2 * random.unit() - 1);
  return made;
}

chip::RealOperator random_numbers(const chip::Operator& op, bool integers, Random& random) {
  chip::RealOperator made;
  const auto count = [](Int n) { return static_cast<std::size_t>(n); };
  if (op.kind == chip::OperatorKind::array) {
    const auto& m = op.matrix;
    made.matrix = random_reals(count(m.groups * m.rows * m.columns), 1, random);
    if (random.below(4) != 0) made.bias = random_reals(count(op.channels), 1, random);
    if (integers) {
      const double most = std::ldexp(1, static_cast<int>(op.bits.W) - 1) - 1;
      for (double& w : made.matrix) w = std::round(w * most);
      made.weight_scales.resize(random.below(2) == 0 ? 1 : count(op.channels));
      for (double& scale : made.weight_scales) scale = (0.5 + random.unit()) / most;
      if (random.below(2) == 0) made.weight_zero = static_cast<Int>(random.below(3)) - 1;
    }
  }
  if (op.function.kind == FunctionKind::layer_norm) {
    made.gamma = random_reals(count(op.channels / op.function.groups), 1, random);
    made.beta = random_reals(made.gamma.size(), 1, random);
    made.parameters = {1e-5};
  }
  if (op.function.kind == FunctionKind::concat_rows)
    made.constant = random_reals(count(op.function.constant_rows * op.width * op.channels), 1, random);
  return made;
}

// Returns a float model, or a quantised one whose tensors have scales and zero points.
chip::RealModel random_model(const chip::ChipNetwork& network, bool quantised, Random& random) {
  chip::RealModel model;
  model.has_data = true;
  for (const auto& op : network.operators) model.operators.push_back(random_numbers(op, quantised, random));
  model.formats.resize(network.tensors());
  if (!quantised) return model;
  for (std::size_t t = 0; t < network.tensors(); ++t) {
    const Int bits = network.is_input(t) ? network.bits.I : network.operators[network.producer(t)].bits.O;
    if (bits > 16) continue;
    const Int half = Int{1} << (bits - 1);
    const auto zero = static_cast<Int>(random.below(static_cast<std::uint64_t>(half))) - half / 2;
    model.formats[t] =
        chip::TensorFormat{(0.5 + random.unit()) * 4 / static_cast<double>(half), zero, -half, half - 1};
  }
  return model;
}

struct Tally {
  Int compared = 0;
  std::map<Int, int> values;
  std::map<std::string, int> kinds;
};

// Runs the program on random input. Returns the first fault or difference from the reference; "" if there is
// none.
std::string difference(const RandomChipCase& drawn, const chip_program::Program& program,
                       const chip_program::ProgramNumbers& whole, Random& random, Tally& tally) {
  std::vector<Int> input;
  const auto& from = drawn.whole.inputs.front();
  const Int most = (Int{1} << (std::min<Int>(drawn.whole.bits.I, 16) - 1)) - 1;
  for (Int i = 0; i < from.rows * from.width * from.channels; ++i)
    input.push_back(static_cast<Int>(random.below(static_cast<std::uint64_t>(2 * most + 1))) - most);
  const auto expected = sim::chip::model_results(drawn.whole, whole, input);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&expected)) return "reference: " + fault->message;
  const auto made = sim::chip::execute(program, drawn.machine, {}, {&input, {}});
  if (const auto* fault = std::get_if<sim::chip::Fault>(&made)) return "program: " + fault->message;
  const auto verdict =
      sim::chip::compare_with_results(drawn.whole, program, std::get<0>(made), std::get<0>(expected));
  if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict)) return fault->message;
  tally.compared += std::get<Int>(verdict);
  for (const auto& result : std::get<0>(expected))
    for (const Int value : result) ++tally.values[value];
  for (const auto& op : drawn.whole.operators) ++tally.kinds[std::string(to_string(op.function.kind))];
  return "";
}

void expect_files(const chip_program::Program& program) {
  const auto text = io::to_text(program);
  auto read = io::parse_program(text, "p.txt");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const auto bytes = io::weights_bytes(program);
  const auto error = io::parse_weights(bytes, "p.txt.weights", *read);
  ASSERT_FALSE(error) << error->to_string();
  EXPECT_EQ(*read->numbers, *program.numbers);
  EXPECT_EQ(io::weights_bytes(*read), bytes);
  const auto binary = io::to_binary(*read);
  const auto again = io::parse_program(binary, "p.bin");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(io::to_binary(*again), binary);
  EXPECT_EQ(io::to_text(*again), text);
}

void expect_reference(bool quantised, bool streams) {
  const char* cases = std::getenv("NESTOR_CHIP_WEIGHT_CASES");
  const int wanted = cases != nullptr ? std::stoi(cases) : 150;
  Tally tally;
  int done = 0;
  int pieces = 0;
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    ASSERT_LT(seed, static_cast<std::uint64_t>(wanted) * 100 + 1000)
        << "too few drawn networks have one input";
    const auto drawn = random_chip_case(seed);
    if (!drawn || drawn->whole.inputs.size() != 1) continue;
    Random random(seed);
    if (streams) {
      make_streams(drawn->machine.mode, drawn->decisions, random);
      if (!chip::has_stream(drawn->decisions)) continue;
    }
    const auto model = random_model(drawn->whole, quantised, random);
    const auto whole = sim::chip::quantise(drawn->whole, model, {{}, seed % 3 == 0});
    if (const auto* fault = std::get_if<sim::chip::Fault>(&whole)) {
      // Random tables and scales may exceed the range of integers.
      const bool known = fault->message.find("not finite") != std::string::npos ||
                         fault->message.find("second factor has more than") != std::string::npos ||
                         fault->message.find("the scales are too far apart") != std::string::npos;
      ASSERT_TRUE(known) << fault->message;
      continue;
    }
    ++done;
    const auto& numbers = std::get<0>(whole);
    const auto evaluation = chip::evaluate(*drawn->problem, drawn->decisions);
    auto program =
        chip_program::generate(*drawn->problem, drawn->decisions, evaluation, {.blocks = seed % 2 == 0});
    program.weights = "p.txt.weights";
    program.numbers = std::make_shared<const chip_program::ProgramNumbers>(
        chip_program::cut_numbers(drawn->whole, numbers, drawn->network));
    const auto found = difference(*drawn, program, numbers, random, tally);
    ASSERT_EQ(found, "") << "seed " << seed << "\n" << io::to_text(program);
    if (drawn->network.operators.size() > drawn->whole.operators.size()) ++pieces;
    if (seed % 8 != 0) continue;
    expect_files(program);
    const auto joined = chip_program::join_numbers(drawn->whole, program);
    ASSERT_TRUE(joined) << "seed " << seed;
    for (std::size_t i = 0; i < numbers.operators.size(); ++i) {
      EXPECT_EQ(joined->operators[i].matrix, numbers.operators[i].matrix);
      EXPECT_EQ(joined->operators[i].mul, numbers.operators[i].mul);
      EXPECT_EQ(joined->operators[i].bias, numbers.operators[i].bias);
    }
  }
  for (const auto& [kind, count] : tally.kinds) std::cout << kind << ": " << count << "\n";
  std::cout << tally.compared << " elements, " << tally.values.size() << " different values, " << pieces
            << " networks in pieces\n";
  EXPECT_GT(tally.values.size(), 200U) << "results that are nearly all the same show nothing";
  EXPECT_TRUE(wanted < 100 || pieces > 0 || streams);
}

TEST(ChipWeights, FloatModelsEqualTheReference) { expect_reference(false, false); }
TEST(ChipWeights, QuantisedModelsEqualTheReference) { expect_reference(true, false); }
TEST(ChipWeights, StreamsOfQuantisedModelsEqualTheReference) { expect_reference(true, true); }

TEST(ChipWeights, MultipliersHaveThirtyOneBits) {
  for (const double ratio : {1.0, 0.5, 1.9999999999, 3e-9, 1e-20, 0.0, -0.75, 12345.678}) {
    const auto [mul, shift] = sim::chip::multiplier(ratio);
    EXPECT_GE(shift, 1);
    EXPECT_LE(shift, 62);
    EXPECT_NEAR(std::ldexp(static_cast<double>(mul), -static_cast<int>(shift)), ratio,
                std::max(std::fabs(ratio) * 0x1p-30, 0x1p-62));
  }
  EXPECT_EQ(sim::chip::multiplier(1).mul, Int{1} << 30);
  EXPECT_EQ(sim::chip::multiplier(1).shift, 30);
  EXPECT_EQ(sim::chip::multiplier(0).shift, 1);
  EXPECT_EQ(sim::chip::multiplier(-0.75).mul, -3 * (Int{1} << 29));
}

TEST(ChipWeights, HalvesRoundAwayFromZero) {
  const chip::TensorFormat format{0.5, 0, -127, 127};
  EXPECT_EQ(sim::chip::quantised(0.25, format), 1);
  EXPECT_EQ(sim::chip::quantised(-0.25, format), -1);
  EXPECT_EQ(sim::chip::quantised(0.24, format), 0);
  EXPECT_EQ(sim::chip::quantised(100, format), 127);
  EXPECT_EQ(sim::chip::quantised(-100, format), -127);
}

TEST(ChipWeights, HostileFilesAreRefused) {
  chip_program::Program program;
  program.tensors = {{"input", 0, 1, 1, 1, 8}, {"conv", 1, 1, 1, 1, 8}};
  program.operators.resize(1);
  program.operators[0].name = "conv";
  const auto message = [&](const std::string& bytes) {
    const auto error = io::parse_weights(bytes, "w", program);
    return error ? error->to_string() : "accepted";
  };
  const std::string head = "nestor-weights 1\n";
  EXPECT_EQ(message("nestor-weights 2\n[]\n"),
            "w: not a weights file; expected 'nestor-weights 1' in the first line");
  EXPECT_EQ(message(head + "[]"), "w: truncated: its list of weights does not end");
  EXPECT_EQ(message(head + "[]\n"), "accepted");
  EXPECT_NE(
      message(head + R"([{"operator": "x", "what": "mul", "bits": 8, "shape": [1], "offset": 0}])" + "\n1"),
      "accepted");
  EXPECT_NE(message(head + R"([{"operator": "conv", "what": "mul", "bits": 8, "shape": [2], "offset": 0}])" +
                    "\n1"),
            "accepted");
  EXPECT_NE(message(head + R"([{"operator": "conv", "what": "mul", "bits": 8, "shape": [1], "offset": 2}])" +
                    "\n1"),
            "accepted");
  EXPECT_NE(
      message(head + R"([{"operator": "conv", "what": "matrix", "bits": 8, "shape": [1], "offset": 0}])" +
              "\n1"),
      "accepted");
  EXPECT_NE(
      message(head + R"([{"operator": "conv", "what": "weights", "bits": 8, "shape": [1], "offset": 0}])" +
              "\n1"),
      "accepted");
  EXPECT_EQ(message(head + R"([{"operator": "conv", "what": "mul", "bits": 8, "shape": [1], "offset": 0}])" +
                    "\n1"),
            "accepted");
  EXPECT_FALSE(io::is_weights_name("../w"));
  EXPECT_FALSE(io::is_weights_name(""));
  EXPECT_TRUE(io::is_weights_name("p.txt.weights"));
}

}  // namespace
}  // namespace nestor::tests::weights_test
