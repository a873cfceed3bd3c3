// Simulated annealing of an order for few live values at a time, without simulating arrays. A short move of
// gates changes the number of live values only between its two positions. Evaluating it therefore takes well
// under a microsecond, so millions of moves are tried. Only the final orders are passed to the evaluator,
// which counts copies.
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
  /// Returns the number of positions examined so far.
  std::uint64_t work() const { return work_; }

 private:
  Sequence sequence_;
  Mover mover_;
  AliveProfile profile_;
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
