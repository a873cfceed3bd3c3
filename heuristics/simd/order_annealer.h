// Anneals an order for few values alive at a time, without simulating arrays: moving gates by a short way
// changes the number of values alive only in between, so a move costs well under a microsecond and millions
// are tried; the evaluator, which counts copies, is asked only about the results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/simd/alive_profile.h"
#include "heuristics/simd/moves.h"

namespace nestor::simd {

class OrderAnnealer {
 public:
  OrderAnnealer(const ScheduleProblem& problem, std::span<const std::uint32_t> order, AlivePrice price,
                bool inputs_travel);

  const std::vector<std::uint32_t>& order() const { return sequence_.order(); }
  double cost() const { return profile_.total(); }
  /// Tries `moves` moves at a temperature in units of the price.
  void run(std::uint64_t moves, double temperature, Random& random);
  /// Positions looked at so far.
  std::uint64_t work() const { return work_; }

 private:
  Sequence sequence_;
  Mover mover_;
  AliveProfile profile_;
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
