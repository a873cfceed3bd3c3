// Rows of a pixel-wise pipeline (docs/models/chip.md, section 5, "Streams"; CIM-MLC, 3.3.3). A window waits
// for the pixels that it reads, and a group of row parts waits only for the rows that its matrix rows use.
// The run of a row begins at the earliest time from which none of its steps has to wait. Only the first step
// of the row may start before the run.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "model/chip/evaluate.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {

/// Least delay from the run of the producer's row that a tap reads to the run of the reader's row. Steps
/// whose matrix rows end in the same block share one lag.
struct StreamLag {
  Int tap = 0;  ///< block of matrix rows
  Int lag = 0;  ///< cycles; the maximum over the steps of the tap
};

/// Waits of a row for one operand that an operator of the segment produces and that does not gate the row.
struct StreamInput {
  std::vector<StreamLag> lags;  ///< in ascending order of taps; the first lag is that of the first step
  Int first_lag = 0;            ///< least delay from the run of the producer's row to the first step
};

/// Returns the waits. `pace.in` must be the value for streams (`stream_in`); `transfer` is the number of
/// cycles of a transfer between the cores.
StreamInput stream_input(const ChipProblem& problem, std::size_t op, const OperatorInput& input,
                         const OperatorTiming& pace, const OperatorTiming& producer, Int transfer);

/// Returns the row of the operand (with `rows` rows) that the steps of a tap need for output row r.
inline Int needed_by_tap(const OperatorInput& input, Int tap, Int r, Int rows) {
  const Need& need = input.need;
  return needed_element({need.a, need.b - (input.taps - 1 - tap) * input.tap_step, need.c}, r, rows);
}

/// Computes times[op] by eq. (5.10) and returns the time at which its last row is visible to readers. The
/// `in` of all `paces` must be the value for streams (`stream_in`). `times` contains the earlier operators of
/// the segment that starts at `first`. `transfer(j)` returns the cycles of a transfer from operator j to
/// operator `op`.
template <typename Transfer>
Int stream_rows(const ChipProblem& problem, std::size_t first, std::size_t op,
                std::span<const OperatorTiming> paces, Timetable& times, Transfer transfer) {
  const ChipNetwork& network = problem.network;
  const Operator& of = network.operators[op];
  const OperatorTiming& pace = paces[op];
  auto& rows = times[op];
  Int ready = pace.in;
  for (const auto& input : of.inputs) {
    if (!input.gated) continue;
    Int came = 0;
    if (!network.is_input(input.tensor) && network.producer(input.tensor) >= first) {
      const std::size_t j = network.producer(input.tensor);
      came = times[j].back().end + paces[j].out + transfer(j);
    }
    ready = std::max(ready, came + pace.in + pace.gate);
  }
  rows.assign(static_cast<std::size_t>(of.rows), {ready, 0, 0});
  for (const auto& input : of.inputs) {
    if (input.gated || network.is_input(input.tensor) || network.producer(input.tensor) < first) continue;
    const std::size_t j = network.producer(input.tensor);
    const StreamInput waits = stream_input(problem, op, input, pace, paces[j], transfer(j));
    const Int made = network.operators[j].rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto run_of = [&](Int tap) {
        return times[j][static_cast<std::size_t>(needed_by_tap(input, tap, static_cast<Int>(r), made))].run;
      };
      rows[r].start = std::max(rows[r].start, run_of(waits.lags.front().tap) + waits.first_lag);
      for (const StreamLag& each : waits.lags)
        rows[r].run = std::max(rows[r].run, run_of(each.tap) + each.lag);
    }
  }
  const auto lanes = static_cast<std::size_t>(pace.lanes);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r >= lanes) rows[r].start = std::max(rows[r].start, rows[r - lanes].end);
    rows[r].run = std::max(rows[r].run, rows[r].start);
    rows[r].end = rows[r].run + pace.row;
  }
  return rows.back().end + pace.out;
}

}  // namespace nestor::chip
