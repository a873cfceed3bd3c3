// The currently executed row of a stream (internal to sim/chip; docs/models/chip-program.md, "Time").
// Execution records the steps of the row and their reads. A final check confirms that no step starts before
// the pixels that it reads are available.
#pragma once

#include <optional>
#include <span>

#include "sim/chip/stream_reads.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Timing of the pixels of a row: pixel x is stored in round x div sharing.
struct PixelPace {
  Int rounds = 1;
  Int sharing = 1;
  Int steps = 1;  ///< number of steps in all rounds
};

/// Returns amount * count / of, rounded down; share_after() rounds up. The product can exceed 64 bits.
Int share_before(Int count, Int amount, Int of);
Int share_after(Int count, Int amount, Int of);

class StreamRow {
 public:
  StreamRow(const Program& program, const nestor::chip::ChipMachine& machine)
      : program_(program), machine_(machine), reads_of_(program, machine) {}

  void begins(std::size_t op, Int row) {
    op_ = op;
    row_ = row;
    steps_.clear();
    rounds_ = 0;
    sharing_ = 1;
    running_ = false;
  }
  MaybeFault run_begins();
  /// Adds a step with the windows that crossbars of the operator gather at the same time.
  MaybeFault gathers(std::span<const Op> ops);
  MaybeFault stores(std::span<const Op> ops);
  /// Adds the whole row of a digital operator, with one step per pixel.
  MaybeFault digital();

  bool is_running() const { return running_; }
  PixelPace pace() const;
  /// Checks the steps of a row that begins at `start` and whose run begins at `run` and takes `cycles`
  /// cycles. `soonest(read)` is the earliest time at which a step can read a pixel, or nothing if the pixel
  /// was available from the start.
  template <typename Soonest>
  MaybeFault check(Int start, Int run, Int cycles, Soonest soonest) const {
    const Int count = pace().steps;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Int begins = s == 0 ? start : run + share_before(static_cast<Int>(s), cycles, count);
      for (const PixelRead& read : steps_[s]) {
        const std::optional<Int> at = soonest(read);
        if (at && begins < *at) return too_soon(s, begins, read, *at);
      }
    }
    return std::nullopt;
  }

 private:
  MaybeFault step();
  Fault too_soon(std::size_t step, Int begins, const PixelRead& read, Int at) const;

  const Program& program_;
  const nestor::chip::ChipMachine& machine_;
  StreamReads reads_of_;
  std::size_t op_ = 0;
  Int row_ = 0;
  std::vector<std::vector<PixelRead>> steps_;
  Int rounds_ = 0;
  Int sharing_ = 1;
  bool running_ = false;
};

}  // namespace nestor::sim::chip
