// Times and addresses of a schedule (docs/models/chip.md, section 5).
#pragma once

#include "check/chip/model.h"

namespace nestor::check::chip {

/// Times of a row. In a stream, its first step starts at `start` and the others at `run` or later; otherwise
/// the two are equal.
struct RowTimes {
  Int start = 0, run = 0, end = 0;
};
using Timetable = std::vector<std::vector<RowTimes>>;  ///< by operator and row

/// The tensors in L0: the first byte of each operator's tensor, and the bytes that each run takes.
struct L0Layout {
  std::vector<Int> addresses;
  std::vector<Int> run_bytes;
};
L0Layout l0_layout(const Schedule& schedule, const CheckedChipProblem& problem);

struct RunTimes {
  Int rewriting = 0;
  Int schedule = 0;
  Int excess = 0;  ///< bits that do not fit L0
  Int spill = 0;   ///< cycles for writing and reading them off the chip
  Int latency() const { return plus(rewriting, schedule, spill); }
};

/// A legal schedule with its times. `problem` and `schedule` must outlive it.
struct TimedSchedule {
  TimedSchedule(const CheckedChipProblem& of_problem, const Schedule& of_schedule);

  Int latency() const;

  const CheckedChipProblem& problem;
  const Schedule& schedule;
  std::vector<OperatorUse> uses;
  std::vector<OperatorTiming> paces;
  std::vector<Int> first_cores;
  std::vector<std::vector<Int>>
      ways;  ///< by operator and input: cost of the transfer, 0 from outside the run
  L0Layout l0;
  Timetable rows;
  std::vector<RunTimes> runs;

 private:
  RunTimes times_of(std::size_t run);
  Int add_rows(const Run& run, std::size_t op, Int before);
  Places places(std::size_t op) const { return {first_cores[op], paces[op].cores}; }
};

/// Returns the rows of an operator of a stream by (5.10), from those of earlier operators.
std::vector<RowTimes> stream_rows(const TimedSchedule& timed, const Run& run, std::size_t op);

/// Turns the arrivals of the inputs of an operator's rows into the ends of the rows (5.8).
void run_rows(std::vector<Int>& rows, const OperatorTiming& pace);

}  // namespace nestor::check::chip
