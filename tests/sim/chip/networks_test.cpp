// Tests of shipped networks, compiled for the machine of CIM-MLC's evaluation, in all modes and on chips that
// hold them whole or in segments. Their programs take the time that the cost model computes. With smaller
// images, they compute the same results as the integer reference.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>

#include "heuristics/chip/baselines.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/find_data.h"
#include "model/chip/program/generate.h"
#include "sim/chip/timing.h"
#include "support/chip_execution.h"

namespace nestor::tests::networks_test {
namespace {

using chip::CompileMethod;

chip::ChipNetwork shipped(const std::string& name) {
  const auto path = io::find_data(io::chip_networks, name);
  return *io::parse_chip_network(*io::read_file(*path), name);
}

// Returns the network with the image height and width divided by `by`, which must divide them. Tensors of one
// pixel keep their size.
chip::ChipNetwork shrunk(chip::ChipNetwork network, Int by) {
  for (auto& input : network.inputs) {
    input.rows /= by;
    input.width /= by;
  }
  for (auto& op : network.operators) {
    const bool is_pixel = op.rows == 1 && op.width == 1;
    const auto& first = op.inputs.front();
    const Int rows_in = network.tensor_rows(first.tensor);
    if (is_pixel) {
      // The operator reads the whole image, or only one pixel, which stays as it is.
      if (rows_in == 1) continue;
      if (op.kind == chip::OperatorKind::array) {
        op.function.views.front().channels /= by * by;
        op.matrix.rows /= by * by;
        op.in_channels /= by * by;
      } else {
        op.function.kernel = {rows_in, rows_in};
        op.alu_ops /= by * by;
      }
      op.row_in /= by * by;
      for (auto& input : op.inputs) {
        input.need.b = rows_in - 1;
        if (input.taps > 1) input.taps = rows_in;
      }
      continue;
    }
    op.rows /= by;
    op.width /= by;
    op.row_in /= by;
    op.alu_ops /= by;
  }
  return network;
}

chip::ChipMachine machine(chip::Mode mode, Int cores) {
  auto result = *io::read_chip_machine("isaac-table3");
  result.mode = mode;
  if (cores > 0) result.cores = {1, cores};
  return result;
}

struct Run {
  const char* network;
  Int by;
  Int cores;  ///< 0: as many as the machine has
};

std::ostream& operator<<(std::ostream& out, const Run& run) {
  return out << fmt::format("{} at 1/{} on {} cores", run.network, run.by, run.cores);
}

class ChipNetworks : public ::testing::TestWithParam<Run> {};

TEST_P(ChipNetworks, ProgramsHaveTheExpectedTimesAndValues) {
  const auto& [name, by, cores] = GetParam();
  const auto whole = shrunk(shipped(name), by);
  Int compared = 0;
  std::size_t segments = 0;
  for (const auto mode : {chip::Mode::CM, chip::Mode::XBM, chip::Mode::WLM}) {
    const auto chip = machine(mode, cores);
    auto network = whole;
    ASSERT_FALSE(chip::split(chip, network));
    const auto problem = chip::make_problem(chip, network);
    const auto decisions = chip::run_baseline(problem, CompileMethod::cim_mlc, chip::offered(mode));
    ASSERT_TRUE(decisions);
    ASSERT_FALSE(chip::find_violation(problem, *decisions));
    const auto evaluation = chip::evaluate(problem, *decisions);
    segments = std::max(segments, evaluation.segments.size());
    const auto program = chip_program::generate(problem, *decisions, evaluation);
    const auto timing = sim::chip::simulate_timing(program, chip);
    ASSERT_TRUE(std::holds_alternative<sim::chip::Timing>(timing))
        << std::get<sim::chip::Fault>(timing).message;
    EXPECT_EQ(std::get<sim::chip::Timing>(timing).cycles, evaluation.latency_cycles);
    EXPECT_EQ(std::get<sim::chip::Timing>(timing).peak_crossbars, evaluation.peak_crossbars);
    EXPECT_EQ(execution_difference(whole, program, chip, compared), "") << chip::to_string(mode);
  }
  EXPECT_GT(compared, 10'000);
  EXPECT_EQ(segments > 1, cores > 0);
}

// Checks times and values with streamed schedules, which are shorter than the same schedules without streams.
TEST_P(ChipNetworks, StreamsHaveTheExpectedTimesAndValues) {
  const auto& [name, by, cores] = GetParam();
  const auto whole = shrunk(shipped(name), by);
  Int compared = 0;
  const auto chip = machine(chip::Mode::WLM, cores);
  auto network = whole;
  ASSERT_FALSE(chip::split(chip, network));
  const auto problem = chip::make_problem(chip, network);
  auto decisions = chip::run_baseline(problem, CompileMethod::cim_mlc, chip::offered(chip.mode));
  ASSERT_TRUE(decisions);
  decisions->levels.stream = true;
  for (auto& segment : decisions->segments) segment.stream = segment.pipeline;
  // Every second operator uses two phases if it is on crossbars and has enough parts.
  for (std::size_t i = 0; i < network.operators.size(); ++i)
    if (network.operators[i].kind == chip::OperatorKind::array && i % 2 == 0)
      decisions->operators[i].phases =
          std::min<Int>(2, std::max(decisions->operators[i].parts, problem.facts[i].layout.least_parts));
  ASSERT_FALSE(chip::find_violation(problem, *decisions));
  const auto evaluation = chip::evaluate(problem, *decisions);
  const auto program = chip_program::generate(problem, *decisions, evaluation);
  const auto timing = sim::chip::simulate_timing(program, chip);
  ASSERT_TRUE(std::holds_alternative<sim::chip::Timing>(timing))
      << std::get<sim::chip::Fault>(timing).message;
  EXPECT_EQ(std::get<sim::chip::Timing>(timing).cycles, evaluation.latency_cycles);
  EXPECT_EQ(std::get<sim::chip::Timing>(timing).peak_crossbars, evaluation.peak_crossbars);
  EXPECT_EQ(execution_difference(whole, program, chip, compared), "");
  EXPECT_GT(compared, 10'000);
  for (auto& segment : decisions->segments) segment.stream = false;
  EXPECT_LT(evaluation.latency_cycles, chip::evaluate(problem, *decisions).latency_cycles);
}

INSTANTIATE_TEST_SUITE_P(Networks, ChipNetworks,
                         ::testing::Values(Run{"vgg7", 2, 0}, Run{"resnet18", 7, 0}, Run{"resnet18", 7, 100},
                                           Run{"mobilenetv2", 7, 0}, Run{"mobilenetv2", 7, 100}));

TEST(ChipNetworkTiming, EqualsTheModelOnShippedNetworks) {
  // All networks take half a minute.
  const bool all = std::getenv("NESTOR_CHIP_NETWORKS") != nullptr;
  for (const auto& name : io::shipped_names(io::chip_networks)) {
    if (!all && name != "vgg7" && name != "resnet18" && name != "mobilenetv2") continue;
    const auto chip = machine(chip::Mode::WLM, 0);
    auto network = shipped(name);
    ASSERT_FALSE(chip::split(chip, network));
    const auto problem = chip::make_problem(chip, network);
    const auto decisions = chip::run_baseline(problem, CompileMethod::cim_mlc, chip::offered(chip.mode));
    ASSERT_TRUE(decisions) << name;
    const auto evaluation = chip::evaluate(problem, *decisions);
    const auto program = chip_program::generate(problem, *decisions, evaluation);
    const auto timing = sim::chip::simulate_timing(program, chip);
    ASSERT_TRUE(std::holds_alternative<sim::chip::Timing>(timing)) << name;
    const auto& found = std::get<sim::chip::Timing>(timing);
    EXPECT_EQ(found.cycles, evaluation.latency_cycles) << name;
    EXPECT_EQ(found.peak_crossbars, evaluation.peak_crossbars) << name;
    for (const auto& segment : found.segments)
      for (const auto& thread : segment.threads) {
        EXPECT_EQ(thread.rows.front().start, evaluation.operators[thread.op].start) << name;
        EXPECT_EQ(thread.end, evaluation.operators[thread.op].end) << name;
      }
  }
}

}  // namespace
}  // namespace nestor::tests::networks_test
