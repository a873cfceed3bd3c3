// SPDX-License-Identifier: Apache-2.0
// Hill climbing without the tables of the search, for arenas that are too small for them. The default start
// fits every machine on which the layer can run at all. The climber tries every change of one decision, in a
// fixed order, and accepts it if it lowers the cost, until no change does. It then perturbs the best mapping
// and climbs again, a few times. It needs no further memory, provides no proof, and can pause after any
// mapping.
#pragma once

#include "base/random.h"
#include "heuristics/cim/nest_moves.h"
#include "solver/search/slice.h"

namespace nestor::cim {

class NestClimber {
 public:
  /// The problem must allow all prime factors of its bounds, and its additive cost must be energy.
  explicit NestClimber(const CimProblem& problem) : moves_(problem) {}

  /// Starts from `best`, or from a default mapping if it is null.
  void start(const Mapping* best);
  /// Evaluates at most `count` mappings within the slice and returns how many it evaluated, not counting
  /// random draws. A mapping that costs less than `cost` replaces `best` and `cost`.
  std::uint64_t climb(std::uint64_t count, Slice& slice, Mapping& best, Cost& cost);
  bool ended() const { return shakes_ > most_shakes; }

 private:
  static constexpr std::uint8_t most_shakes = 8;

  void begin_shake(const Mapping& best, Cost cost);
  void draw();

  NestMoves moves_;
  Mapping mapping_;  // current mapping of the climb
  Mapping trial_;    // a changed copy of `mapping_`
  Cost cost_ = 0;
  std::size_t next_ = 0;  // next change to try; all earlier ones failed since the last accepted change
  std::uint8_t shakes_ = 0;
  int draws_left_ = 0;    // random draws left in the current shake
  int changes_left_ = 0;  // changes left in the current shake
  Random random_{1};
};

}  // namespace nestor::cim
