// The timing simulator executes the program; the recurrence of the cost model computes. They must agree on
// every start and finish of every row, on the schedule and on the crossbars at work at once.
#include "sim/chip/timing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "io/chip/program/program_file.h"
#include "model/chip/program/generate.h"
#include "support/chip_cases.h"

namespace nestor::test {
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
        if (thread.rows[r].start == rows[r].start && thread.rows[r].end == rows[r].end) continue;
        return fmt::format("{} row {} runs from {} to {}; expected {} to {}", name, r, thread.rows[r].start,
                           thread.rows[r].end, rows[r].start, rows[r].end);
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

TEST(ChipTiming, EqualsTheRecurrenceOnRandomNetworks) {
  const char* cases = std::getenv("NESTOR_CHIP_TIMING_CASES");
  const int wanted = cases != nullptr ? std::atoi(cases) : 2000;
  Coverage coverage;
  int done = 0;
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    ASSERT_LT(seed, static_cast<std::uint64_t>(wanted) * 10 + 1000)
        << "too few drawn networks fit their machine";
    const auto drawn = random_chip_case(seed);
    if (!drawn) continue;
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
    EXPECT_GT(count, 0) << feature;
  }
}

}  // namespace
}  // namespace nestor::test
