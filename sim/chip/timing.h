// Timing simulation of a meta-operator program: computes when each row runs (docs/models/chip-program.md,
// "Time"). Rounds, bits and active crossbars are counted as they occur. Waits and lanes determine when rows
// open. The simulation does not use the recurrence of the cost model; tests compare the two.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/stream_row.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

struct RowTime {
  Int start = 0;
  Int end = 0;
  Int run = 0;  ///< in a stream, the time when the row's run opens; otherwise equal to `start`
  bool operator==(const RowTime&) const = default;
};

struct ThreadTime {
  std::size_t op = 0;
  std::vector<RowTime> rows;  ///< times of the rows; empty if the thread runs in blocks
  Int end = 0;                ///< time when the thread's result is visible
  Int active = 0;             ///< crossbars active at the same time during a row
  PixelPace pixels;           ///< timing of the pixels of a row, in a stream
};

/// Calls use(from, to) for the cycles in which crossbars are active for a row. In a stream, the first step is
/// a separate range if the other steps start later.
template <typename Use>
void each_stretch(const ThreadTime& thread, const RowTime& row, Use use) {
  if (row.run == row.start) return use(row.start, row.end);
  const Int cycles = row.end - row.run;
  use(row.start, row.start + share_after(1, cycles, thread.pixels.steps));
  use(row.run + share_before(1, cycles, thread.pixels.steps), row.end);
}

struct SegmentTime {
  Int rewrite_cycles = 0;
  Int schedule_cycles = 0;  ///< accounts for the limits of a shared buffer or digital unit
  Int l0_bits = 0;
  Int alu_ops = 0;
  Int peak_crossbars = 0;
  std::vector<ThreadTime> threads;
};

struct Timing {
  std::vector<SegmentTime> segments;
  Int peak_crossbars = 0;
  /// Total of all segments. Spilling to off-chip memory is not part of a program.
  Int cycles = 0;
};

std::variant<Timing, Fault> simulate_timing(const Program& program, const nestor::chip::ChipMachine& machine,
                                            const WalkLimits& limits = {});

}  // namespace nestor::sim::chip
