// The row of a stream that runs (private to the room; docs/models/chip-program.md, "Time"): which steps it
// has and what each reads, found by executing it. When all is known, each step is checked to come no sooner
// than the pixels that it reads.
#pragma once

#include <optional>
#include <span>

#include "sim/chip/stream_reads.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// When the pixels of a row come: pixel x is stored in round x div sharing.
struct PixelPace {
  Int rounds = 1;
  Int sharing = 1;
  Int steps = 1;  ///< of all rounds
};

/// After `count` of `of` equal shares of an amount, rounded down or up; products may take more than 64 bits.
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
  /// Windows that crossbars of the operator gather at the same time: a step begins.
  MaybeFault gathers(std::span<const Op> ops);
  MaybeFault stores(std::span<const Op> ops);
  /// The whole row of a digital operator, a step a pixel.
  MaybeFault digital();

  bool is_running() const { return running_; }
  PixelPace pace() const;
  /// `soonest(read)`: when a step may read that, nothing if it was there all along. The row starts and opens
  /// its run at these times and runs for so many cycles.
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
