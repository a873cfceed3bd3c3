// Walks the loop nest of a plan step by step, and skips what it has seen. Internal to sim.
//
// Why skipping is exact. Between two steps, the machine's future depends on (a) which tiles the coming steps
// change, which is the position in the nest, and (b) its times: when each port and buffer becomes free and
// when the last MVM ended. Every new time is a maximum of old ones plus a constant (no transfer asks for the
// absolute time; the home memory, always ready, is never later than a free port), so times that are all later
// by d lead to the same events later by d: the system is max-plus linear, and its times relative to the last
// MVM are a complete Markov state. Two consequences are used:
//
//  - Iterations 1 .. N-2 of a loop change the same tiles in the same way (the first differs in that outputs
//  are
//    new, the last in that no further tile of O can be fetched ahead within the loop). If the relative state
//    before iteration k equals the one before iteration k-p, the rest is a repetition: all of it that is
//    whole periods is added at once. A snapshot at powers of two finds any p.
//  - The loops inside iteration k see the rest of the nest only through two bits: whether their outputs were
//    visited before, and whether the tile of O after their last one returns from the same source tile. The
//    same loops with the same two bits and the same relative state do the same again: their effect is kept in
//    a table. This covers nests of many short loops, where no single loop runs long enough to repeat.
//
// What is counted (stalls, occupancy, transfers) is a function of the same state and is added alike. A level
// that no loop inside changes is not part of the state: its current tile has arrived before the port or array
// inside it last started (machine.h), so it can delay nothing until it changes.
#pragma once

#include "sim/cim/machine.h"
#include "sim/cim/memo.h"

namespace nestor::sim {

/// Times and tallies of the levels that change inside a loop, flattened.
using StateBuffer = std::array<Int, Machine::max_state>;
using TallyBuffer = std::array<Int, stall_cause_count + max_levels + max_memories>;

template <typename Trace>
class Walker {
 public:
  Walker(const Plan& plan, const ReplayOptions& options, Trace& trace);

  /// Runs all steps and the last write-backs; false if a limit or the sink stopped it.
  bool run();

  const Machine& machine() const { return machine_; }
  Int steps_simulated() const { return steps_simulated_; }
  Int end() const { return end_; }

 private:
  using Levels = std::array<std::uint8_t, operand_count>;

  /// What is the same for all iterations of a loop.
  struct LoopPlan {
    Int iterations = 1;
    bool revisits = false;
    bool worth_keeping = false;  ///< enough steps inside for a look in the table to pay
    Change change;               ///< as the loop advances; the flags are filled in
  };

  /// Loops [i, n), whose first step has been taken. `revisited`: outputs were visited before, by an outer
  /// loop. `returns_beyond`: the tile of O after the last one in here returns, and lies in the same source
  /// tile.
  bool walk(std::size_t i, bool revisited, bool returns_beyond);
  bool iterate(std::size_t i, bool revisited, bool returns_beyond);
  bool advance(const Change& change);

  std::size_t read_tally(const Levels& from, Int* values) const;
  /// Adds (values - before) * times; `before` may be null.
  void add_tally(const Levels& from, const Int* values, const Int* before, Int times);

  /// Looks for a period of loop i before its iteration k; gives how many iterations were skipped.
  struct Snapshot {
    Int iteration = 0;
    Int now = 0;
    StateBuffer state;
    TallyBuffer tally;
  };
  Int skip_periods(const LoopPlan& loop, Int k, Snapshot& snapshot);

  const ReplayOptions& options_;
  Trace& trace_;
  Machine machine_;
  FixedVector<LoopPlan, max_loops> loops_;
  std::array<std::size_t, operand_count> level_count_{};
  Memo memo_;
  Int steps_simulated_ = 0;
  Int end_ = 0;
};

extern template class Walker<NoTrace>;
extern template class Walker<SinkTrace>;

}  // namespace nestor::sim
