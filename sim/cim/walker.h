// Step-by-step execution of a plan's loop nest that skips repetitions. Internal to sim.
//
// Between two steps, the machine's further behaviour depends only on the position in the nest and on its
// times relative to the last MVM. If an iteration of a loop returns to earlier relative times, the loop is
// periodic from there, and whole periods are added at once. Snapshots at powers of two find any period. The
// effect of inner loops that were already executed from the same relative times is read from a table
// (memo.h). docs/models/cim.md, section 10.1, explains why both methods are exact.
#pragma once

#include "sim/cim/machine.h"
#include "sim/cim/memo.h"

namespace nestor::sim::cim {

/// Times and tallies of the levels that change inside a loop, flattened.
using StateBuffer = std::array<Int, Machine::max_state>;
using TallyBuffer = std::array<Int, stall_cause_count + max_levels + max_memories>;

template <typename Trace>
class Walker {
 public:
  Walker(const Plan& plan, const ReplayOptions& options, Trace& trace);

  /// Runs all steps and the last write-backs. Returns false if a limit or the sink stops the replay.
  bool run();

  const Machine& machine() const { return machine_; }
  Int steps_simulated() const { return steps_simulated_; }
  Int end() const { return end_; }

 private:
  using Levels = std::array<std::uint8_t, operand_count>;

  /// Data that is the same for all iterations of a loop.
  struct LoopPlan {
    Int iterations = 1;
    bool revisits = false;
    bool worth_keeping = false;  ///< true if its steps are enough for a lookup to pay off
    Change change;               ///< tiles that change when the loop advances; flags are set later
  };

  /// Runs all steps of loops [i, n) except the first, which has already run. `revisited`: an outer loop has
  /// visited the outputs before. `returns_beyond`: the next tile of O after these loops returns and is in the
  /// same source tile.
  bool walk(std::size_t i, bool revisited, bool returns_beyond);
  bool iterate(std::size_t i, bool revisited, bool returns_beyond);
  bool advance(const Change& change);

  std::size_t read_tally(const Levels& from, Int* values) const;
  /// Adds (values - before) * times. `before` can be null.
  void add_tally(const Levels& from, const Int* values, const Int* before, Int times);

  /// Machine state at the start of an iteration. skip_periods() compares states to find a period and returns
  /// the number of skipped iterations, or -1 if no period is known yet.
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

}  // namespace nestor::sim::cim
