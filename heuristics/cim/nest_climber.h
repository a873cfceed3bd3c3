// SPDX-License-Identifier: Apache-2.0
// Mappings without tables, for an arena that is too small for them: a climb from a mapping that fits any
// machine on which the layer runs at all. Every change of one decision is tried, in a fixed order, and kept
// if it lowers the cost, until none does; then the best so far is shaken and the climb begins anew, a few
// times. It needs no memory beyond itself, proves nothing, and may be left after any mapping looked at.
#pragma once

#include "base/random.h"
#include "model/cim/search/problem.h"
#include "solver/search/slice.h"

namespace nestor::cim {

class NestClimber {
 public:
  /// Of a problem with full prime factors, whose additive cost is energy.
  explicit NestClimber(const CimProblem& problem) : problem_(problem) {}

  /// Begins at `best`, at a mapping of its own if there is none.
  void start(const Mapping* best);
  /// Looks at no more than `count` mappings within the slice, and returns at how many it did; those that cost
  /// less than `best` take its place.
  std::uint64_t climb(std::uint64_t count, Slice& slice, Mapping& best, Cost& cost);
  bool ended() const { return shakes_ > most_shakes; }

 private:
  static constexpr std::uint8_t most_shakes = 8;

  // Changes by number. An invalid one is refused and leaves the mapping unchanged. A block is a pair of
  // memory and operand.
  std::size_t change_count() const;
  std::size_t distinct_factors() const;
  bool change(std::size_t number, Mapping& mapping) const;
  static bool move_loop(std::size_t from, std::size_t to, Mapping& mapping);
  static bool exchange_loops(std::size_t a, std::size_t b, Mapping& mapping);
  bool move_boundary(std::size_t block, std::size_t loops_outside, Mapping& mapping) const;
  bool toggle_buffer(std::size_t block, Mapping& mapping) const;
  bool put_on_axis(std::size_t axis, std::size_t loop, Mapping& mapping) const;
  bool take_from_axis(std::size_t axis, std::size_t dim, Int factor, std::size_t loop,
                      Mapping& mapping) const;

  Cost cost_of(Mapping& mapping) const;
  void begin_shake(const Mapping& best, Cost cost);
  void draw();
  // Of loops, and of the blocks between which they transfer.
  std::uint32_t units_of_cost() const {
    return static_cast<std::uint32_t>(4 + 2 * trial_.loops.size() + 3 * problem_.machine.memories.size());
  }

  const CimProblem& problem_;
  Mapping mapping_;  // where the climb stands
  Mapping trial_;    // a change of it
  Cost cost_ = 0;
  std::size_t next_ = 0;  // the change to try; all before it were tried since one was kept
  std::uint8_t shakes_ = 0;
  int draws_left_ = 0;    // of the shake under way
  int changes_left_ = 0;  // that it still makes
  Random random_{1};
};

}  // namespace nestor::cim
