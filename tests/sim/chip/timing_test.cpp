// Tests that compare the timing simulator, which executes the program, with the recurrence of the cost model.
// Both give the same start and finish of every row, the same schedule, and the same peak number of crossbars
// that work at the same time.
#include "sim/chip/timing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>

#include "io/chip/program/program_file.h"
#include "model/chip/program/generate.h"
#include "support/chip_cases.h"
#include "support/setting.h"

namespace nestor::tests::timing_test {
namespace {

using sim::chip::Timing;

std::string agreement(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                      const Timing& timing) {
  chip::Timetable times;
  const auto expected = chip::evaluate(problem, decisions, times);
  if (timing.peak_crossbars != expected.peak_crossbars) {
    return fmt::format("peak of {} crossbars, {} expected", timing.peak_crossbars, expected.peak_crossbars);
  }
  Int spills = 0;
  for (std::size_t s = 0; s < expected.segments.size(); ++s) {
    const auto& segment = timing.segments[s];
    if (segment.schedule_cycles != expected.segments[s].schedule_cycles) {
      return fmt::format("segment {} takes {}, {} expected", s, segment.schedule_cycles,
                         expected.segments[s].schedule_cycles);
    }
    if (segment.rewrite_cycles != expected.segments[s].rewrite_cycles) {
      return fmt::format("segment {} is rewritten in {}, {} expected", s, segment.rewrite_cycles,
                         expected.segments[s].rewrite_cycles);
    }
    spills += expected.segments[s].spill_cycles;
    for (const auto& thread : segment.threads) {
      const auto& rows = times[thread.op];
      const auto& name = problem.network.operators[thread.op].name;
      if (thread.rows.size() != rows.size()) return name + " has another number of rows";
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (thread.rows[r].start == rows[r].start && thread.rows[r].end == rows[r].end &&
            thread.rows[r].run == rows[r].run)
          continue;
        return fmt::format("{} row {} starts at {}, runs from {} to {}; expected {}, {} to {}", name, r,
                           thread.rows[r].start, thread.rows[r].run, thread.rows[r].end, rows[r].start,
                           rows[r].run, rows[r].end);
      }
      if (thread.end != expected.operators[thread.op].end) return name + " is seen at another time";
    }
  }
  if (timing.cycles + spills != expected.latency_cycles) return "the whole takes another time";
  return "";
}

std::string agreement(const RandomChipCase& of, chip_program::Program& program) {
  const auto evaluation = chip::evaluate(*of.problem, of.decisions);
  program = chip_program::generate(*of.problem, of.decisions, evaluation);
  const auto result = sim::chip::simulate_timing(program, of.machine);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&result)) return fault->message;
  return agreement(*of.problem, of.decisions, std::get<Timing>(result));
}

// Checks random networks as drawn or, if `streams`, with most pipelined segments as streams.
void expect_agreement(bool streams) {
  const std::uint64_t wanted = tests::setting("NESTOR_CHIP_TIMING_CASES", 2000);
  Coverage coverage;
  std::uint64_t done = 0;
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    ASSERT_LT(seed, wanted * 10 + 1000) << "too few drawn networks fit their machine";
    const auto drawn = random_chip_case(seed);
    if (!drawn) continue;
    if (streams) {
      Random random(seed);
      make_streams(drawn->machine.mode, drawn->decisions, random);
      if (!chip::has_stream(drawn->decisions)) continue;
    }
    ++done;
    chip_program::Program program;
    const std::string difference = agreement(*drawn, program);
    ASSERT_EQ(difference, "") << "seed " << seed << "\n" << io::to_text(program);
    const std::string text = io::to_text(program);
    const auto read = io::parse_program(text, "again");
    ASSERT_TRUE(read.ok()) << "seed " << seed << ": " << read.error().to_string() << "\n" << text;
    ASSERT_TRUE(*read == program) << "seed " << seed;
    const auto binary = io::to_binary(program);
    const auto again = io::parse_program(binary, "again");
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.error().to_string();
    ASSERT_TRUE(*again == program) << "seed " << seed;
    add_coverage(*drawn, coverage);
  }
  for (const auto& [feature, count] : coverage) {
    std::cout << feature << ": " << count << "\n";
    EXPECT_TRUE(count > 0 || (streams && feature == "mode CM")) << feature;
  }
}

TEST(ChipTiming, EqualsTheRecurrenceOnRandomNetworks) { expect_agreement(false); }

TEST(ChipTiming, EqualsTheRecurrenceOnStreams) { expect_agreement(true); }

// Fig. 12 of CIM-MLC in text: a 1 x 1 convolution of 4 x 2 pixels, then 2 x 2 with stride 2 in two phases.
constexpr const char* figure = R"(nestor-chip 1
machine fig12
mode XBM
l0 72
tensor image address 0 rows 4 width 2 channels 4 bits 8
tensor first address 32 rows 4 width 2 channels 4 bits 8
tensor second address 64 rows 2 width 1 channels 4 bits 8
operator first conv matrix 4 4 parts 1 columns 2 usable 1 spacing 2 in_channels 4 row_in 8 in image out first
operator second conv kernel 2 2 stride 2 2 matrix 16 4 parts 2 columns 2 phases 2 xb 2 usable 1 spacing 4 in_channels 4 row_in 16 in first out second
segment 0 stream {
  thread first lanes 1 {
    loop y 0 4 {
      row y {
        parallel { mov.window(0, first, y, 0) mov.window(1, first, y, 0) }
        cim.readxb(0, 2)
        run {
          store(first, 0, y, 0)
          parallel { mov.window(0, first, y, 1) mov.window(1, first, y, 1) }
          cim.readxb(0, 2)
          store(first, 0, y, 1)
        }
      }
    }
  }
  thread second lanes 1 {
    loop y 0 2 {
      row y {
        wait(first, y*2, 2)
        parallel { mov.window(2, second, y, 0) mov.window(3, second, y, 0) }
        cim.readxb(2, 2)
        run {
          wait(first, y*2, 2)
          wait(first, y*2 + 1, 1)
          parallel { mov.window(4, second, y, 0) mov.window(5, second, y, 0) }
          cim.readxb(4, 2)
          store(second, 0, y, 0)
        }
      }
    }
  }
}
)";

chip::ChipMachine machine_of_the_figure(Int cell_rows = 8) {
  chip::ChipMachine machine;
  machine.name = "fig12";
  machine.mode = chip::Mode::XBM;
  machine.cores = {1, 6};
  machine.cell = {.rows = cell_rows, .columns = 2, .parallel_rows = cell_rows, .dac = 8, .cell_bits = 8};
  return machine;
}

// Returns the fault of a program, or its timing as text: the start, run and end of the second operator's
// first row, the peak number of crossbars and the cycles.
std::string second_row(const std::string& text, const chip::ChipMachine& machine) {
  const auto program = io::parse_program(text, "figure");
  if (!program.ok()) return program.error().to_string();
  const auto found = sim::chip::simulate_timing(*program, machine);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&found)) return fault->message;
  const auto& segment = std::get<Timing>(found).segments[0];
  const auto& row = segment.threads[1].rows[0];
  return fmt::format("{} {} {}, {} crossbars, {} cycles", row.start, row.run, row.end, segment.peak_crossbars,
                     segment.schedule_cycles);
}

// Returns the text with the last occurrence of `old` replaced.
std::string with(std::string text, const std::string& old, const std::string& replacement) {
  const auto at = text.rfind(old);
  if (at == std::string::npos) return "no " + old;
  return text.replace(at, old.size(), replacement);
}

std::string figure_with(const std::string& old = "", const std::string& replacement = "") {
  return second_row(old.empty() ? figure : with(figure, old, replacement), machine_of_the_figure());
}

TEST(ChipTiming, StreamMatchesTheFigure) {
  EXPECT_EQ(io::to_text(*io::parse_program(figure, "figure")), figure);
  EXPECT_EQ(figure_with(), "2 3 5, 4 crossbars, 9 cycles");
}

TEST(ChipTiming, RefusesStepsBeforeTheirPixels) {
  const auto soon = [](int step, int begins, const char* read, int at) {
    return fmt::format(
        "step {} of row 0 of 'second' begins at {} and reads pixel 1 of row {} of 'first', which is "
        "available at {}",
        step, begins, read, at);
  };
  EXPECT_EQ(figure_with("y*2, 2)\n        parallel", "y*2, 1)\n        parallel"), soon(0, 1, "0", 2));
  EXPECT_EQ(figure_with("y*2 + 1, 1", "y*2 + 1, 0"), soon(1, 3, "1", 4));
  EXPECT_EQ(figure_with("y*2 + 1, 1", "y*2 + 1, 2"), "2 4 6, 4 crossbars, 10 cycles") << "later is no fault";
}

// With L1 transfers of 16 bits per cycle, a pixel takes 2 cycles to write and a portion of a window takes 2
// cycles to read.
TEST(ChipTiming, PixelsOfStreamsTakeTransferTime) {
  auto machine = machine_of_the_figure();
  machine.l1.bandwidth = 16;
  auto text = with(figure, "y*2, 2)", "y*2, 8)");
  text = with(text, "y*2, 2)", "y*2, 8)");
  text = with(text, "y*2 + 1, 1)", "y*2 + 1, 6)");
  EXPECT_EQ(second_row(text, machine), "10 12 16, 4 crossbars, 26 cycles");
  EXPECT_EQ(second_row(with(text, "+ 1, 6)", "+ 1, 5)"), machine),
            "step 1 of row 0 of 'second' begins at 13 and reads pixel 1 of row 1 of 'first', which is "
            "available at 14");
}

// One part reads all rows of the window, so the step waits for the last of these rows.
TEST(ChipTiming, AStepReadsAllRowsOfItsWindow) {
  const auto machine = machine_of_the_figure(16);
  auto text = with(figure, "parts 2 columns 2 phases 2 xb 2 usable 1 spacing 4",
                   "parts 1 columns 2 xb 2 usable 1 spacing 2");
  const auto from = text.find("        run {\n          wait(first");
  const auto to = text.find("          store(second");
  text.replace(from, to - from, "        run {\n");
  text = with(text, "wait(first, y*2, 2)", "wait(first, y*2 + 1, 2)");
  EXPECT_EQ(second_row(text, machine), "4 4 5, 4 crossbars, 9 cycles");
  EXPECT_EQ(second_row(with(text, "+ 1, 2)", "+ 1, 1)"), machine),
            "step 0 of row 0 of 'second' begins at 3 and reads pixel 1 of row 1 of 'first', which is "
            "available at 4");
}

TEST(ChipTiming, RefusesMalformedStreams) {
  EXPECT_EQ(figure_with("segment 0 stream", "segment 0 pipeline"),
            "thread 'first' has a `run` outside a stream");
  EXPECT_EQ(figure_with("wait(first, y*2, 2)\n          wait", "wait(first, y*2)\n          run { } wait"),
            "a row of 'second' runs twice");
  EXPECT_EQ(figure_with("store(second, 0, y, 0)", "store(second, 0, 1, 0)"),
            "row 0 of 'second' stores pixel 0 of row 1 in round 0");
  EXPECT_EQ(figure_with("mov.window(5, second, y, 0)", "mov.window(1, second, y, 0)"),
            "crossbar 1 contains no weights of 'second'");
  EXPECT_EQ(figure_with("wait(first, y*2 + 1, 1)", "wait(first, y*2 + 1, 0 - 1)"),
            "thread 'second' waits for -1 cycles");
}

}  // namespace
}  // namespace nestor::tests::timing_test
