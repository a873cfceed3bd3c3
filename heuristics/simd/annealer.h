// Anneals a whole schedule: order and arrays, counted in copies by the evaluator. Ties and near-ties are
// decided by the price of values alive, weighted lightly, so that plateaus have a slope.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heuristics/simd/alive_profile.h"
#include "heuristics/simd/moves.h"
#include "model/simd/evaluator.h"
#include "model/simd/schedule.h"

namespace nestor::simd {

/// A sequence with the transfers that were counted for it; or, of another machine than the evaluator, its
/// schedule alone.
struct Found {
  Copies copies = impossible;
  WorkingArrays working;
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> arrays;
  std::vector<Transfer> transfers;
  std::shared_ptr<const Schedule> schedule;
};

class Annealer {
 public:
  Annealer(const ScheduleProblem& problem, WorkingArrays working, std::span<const std::uint32_t> order,
           std::span<const std::uint8_t> arrays);

  /// Restarts from another sequence for the same working arrays.
  void start_from(std::span<const std::uint32_t> order, std::span<const std::uint8_t> arrays);
  /// Tries `moves` moves at a temperature in copies.
  void run(std::uint64_t moves, double temperature, Random& random);

  Copies current() const { return evaluator_.current(); }
  const Found& best() const { return best_; }
  /// Records the best so far; run() postpones that while it lasts.
  void keep_best();
  std::uint64_t work() const { return evaluator_.work() + work_; }

 private:
  Sequence sequence_;
  Evaluator evaluator_;
  Mover mover_;
  AliveProfile profile_;
  Found best_;
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
