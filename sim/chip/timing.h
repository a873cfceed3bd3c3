// Executes a meta-operator program and says when each row ran (docs/models/chip-program.md, "Time"). Rounds,
// bits and active crossbars are counted as the program does them; when rows open follows from its waits and
// lanes. The recurrence of the cost model appears nowhere here: tests hold the two against each other.
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
  Int run = 0;  ///< of a stream, where the steps behind the first may start later; else start
  bool operator==(const RowTime&) const = default;
};

struct ThreadTime {
  std::size_t op = 0;
  std::vector<RowTime> rows;  ///< none where the thread runs in blocks
  Int end = 0;                ///< when its result is seen
  Int active = 0;             ///< crossbars at work at once in a row
  PixelPace pixels;           ///< of a row of a stream
};

/// Calls use(from, to) for the cycles in which crossbars are at work for a row: in a stream apart for the
/// first step, if the others start later.
template <typename Use>
void each_stretch(const ThreadTime& thread, const RowTime& row, Use use) {
  if (row.run == row.start) return use(row.start, row.end);
  const Int cycles = row.end - row.run;
  use(row.start, row.start + share_after(1, cycles, thread.pixels.steps));
  use(row.run + share_before(1, cycles, thread.pixels.steps), row.end);
}

struct SegmentTime {
  Int rewrite_cycles = 0;
  Int schedule_cycles = 0;  ///< limits of a shared buffer or digital unit included
  Int l0_bits = 0;
  Int alu_ops = 0;
  Int peak_crossbars = 0;
  std::vector<ThreadTime> threads;
};

struct Timing {
  std::vector<SegmentTime> segments;
  Int peak_crossbars = 0;
  /// Of all segments; spilling to off-chip memory is not part of a program.
  Int cycles = 0;
};

std::variant<Timing, Fault> simulate_timing(const Program& program, const nestor::chip::ChipMachine& machine,
                                            const WalkLimits& limits = {});

}  // namespace nestor::sim::chip
