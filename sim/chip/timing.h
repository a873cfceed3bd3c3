// Executes a meta-operator program and says when each row ran (docs/models/chip-program.md, "Time"). Rounds,
// bits and active crossbars are counted as the program does them; when rows open follows from its waits and
// lanes. The recurrence of the cost model appears nowhere here: tests hold the two against each other.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

struct RowTime {
  Int start = 0;
  Int end = 0;
  bool operator==(const RowTime&) const = default;
};

struct ThreadTime {
  std::size_t op = 0;
  std::vector<RowTime> rows;  ///< none where the thread runs in blocks
  Int end = 0;                ///< when its result is seen
  Int active = 0;             ///< crossbars at work at once in a row
};

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
