// The worked example of docs/models/chip-program.md: a convolution and a relu on two cores of two crossbars,
// as it prints in each mode, what it takes and that it computes the right numbers.
#include <gtest/gtest.h>

#include "io/chip_program/program_file.h"
#include "model/chip_program/generate.h"
#include "sim/chip/order.h"
#include "sim/chip/timing.h"
#include "support/chip_execution.h"

namespace nestor::test {
namespace {

struct Example {
  chip::Machine machine;
  chip::Network network;
  chip::Decisions decisions;
};

Example example(chip::Mode mode, chip::Levels levels, Int copies, Int parts) {
  Example made;
  made.machine.name = "example-table2";
  made.machine.mode = mode;
  made.machine.cores = {2, 1};
  made.machine.crossbars = {2, 1};
  made.machine.cell.rows = 32;
  made.machine.cell.columns = 128;
  made.machine.cell.parallel_rows = 16;
  made.machine.cell.cell_bits = 2;
  made.network.inputs = {{"input", 32, 32, 3}};
  chip::Operator conv;
  conv.name = "conv";
  conv.kind = chip::OperatorKind::array;
  conv.rows = conv.width = conv.channels = 32;
  conv.in_channels = 3;
  conv.row_in = 96;
  conv.matrix = {27, 32, 1};
  conv.inputs = {{0, {1, 1, 1}, false}};
  conv.function.kind = chip::FunctionKind::convolution;
  conv.function.kernel = {3, 3};
  conv.function.pad = {1, 1};
  chip::Operator relu;
  relu.name = "relu";
  relu.rows = relu.width = relu.channels = relu.in_channels = 32;
  relu.row_in = relu.alu_ops = 1024;
  relu.inputs = {{1, {1, 0, 1}, false}};
  relu.function.kind = chip::FunctionKind::relu;
  made.network.operators = {conv, relu};
  made.network.outputs = {1};
  made.decisions.levels = levels;
  made.decisions.segments = {{0, 1, false}};
  made.decisions.operators.resize(2);
  made.decisions.operators[0].copies = copies;
  made.decisions.operators[0].parts = parts;
  return made;
}

// The text of the only thread.
std::string thread_of(const Example& of, Int& cycles) {
  const auto problem = chip::make_problem(of.machine, of.network);
  EXPECT_FALSE(chip::find_violation(problem, of.decisions));
  const auto program =
      chip_program::generate(problem, of.decisions, chip::evaluate(problem, of.decisions), {.blocks = true});
  const auto fault = sim_chip::prove_order(program, of.machine);
  EXPECT_FALSE(fault) << fault->message;
  Int compared = 0;
  EXPECT_EQ(execution_difference(of.network, program, of.machine, compared), "");
  EXPECT_EQ(compared, 2 * 32 * 32 * 32);
  const auto timing = sim_chip::simulate_timing(program, of.machine);
  cycles = std::holds_alternative<sim_chip::Timing>(timing) ? std::get<sim_chip::Timing>(timing).cycles : -1;
  const std::string text = io::to_text(program);
  const auto begin = text.find("  thread");
  return text.substr(begin, text.rfind('}') - begin);
}

TEST(ChipExample, CoreMode) {
  Int cycles = 0;
  EXPECT_EQ(thread_of(example(chip::Mode::CM, {}, 2, 1), cycles), R"(  thread conv lanes 2 {
    parallel {
      cim.readcore(conv, core=0, y=0..16, x=0..32, src=0, dst=3072)
      cim.readcore(conv, core=1, y=16..32, x=0..32, src=1440, dst=19456)
    }
    relu(src=3072, dst=35840, len=32768)
  }
)");
  EXPECT_EQ(cycles, 1024);
}

TEST(ChipExample, CrossbarMode) {
  Int cycles = 0;
  const auto text = thread_of(example(chip::Mode::XBM, {true, false}, 4, 1), cycles);
  EXPECT_EQ(text, R"(  thread conv lanes 1 {
    loop y 0 32 {
      loop x 0 32 step 4 {
        parallel {
          mov.window(0, conv, y, x)
          mov.window(1, conv, y, x + 1)
          mov.window(2, conv, y, x + 2)
          mov.window(3, conv, y, x + 3)
        }
        parallel { cim.readxb(0, 1) cim.readxb(1, 1) cim.readxb(2, 1) cim.readxb(3, 1) }
        parallel {
          store(conv, 0, y, x)
          store(conv, 1, y, x + 1)
          store(conv, 2, y, x + 2)
          store(conv, 3, y, x + 3)
        }
        relu(src=3072 + (y*32 + x)*32, dst=35840 + (y*32 + x)*32, len=128)
      }
    }
  }
)");
  EXPECT_EQ(cycles, 512);
}

TEST(ChipExample, WordlineMode) {
  Int cycles = 0;
  const auto text = thread_of(example(chip::Mode::WLM, {true, true}, 2, 2), cycles);
  EXPECT_NE(text.find("loop x 0 32 step 2 {"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(        parallel {
          cim.readrow(0, 0, 14)
          cim.readrow(1, 0, 13)
          cim.readrow(2, 0, 14)
          cim.readrow(3, 0, 13)
        }
)"),
            std::string::npos)
      << text;
  EXPECT_EQ(cycles, 512);
}

}  // namespace
}  // namespace nestor::test
