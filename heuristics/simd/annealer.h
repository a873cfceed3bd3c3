// Simulated annealing of a whole schedule: its order and arrays, with the evaluator's exact count of copies.
// The price of live values, with a small weight, breaks ties and near-ties, so the search can leave plateaus.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heuristics/simd/alive_profile.h"
#include "heuristics/simd/moves.h"
#include "model/simd/evaluator.h"
#include "model/simd/schedule.h"

namespace nestor::simd {

/// A result: a sequence with the transfers that the evaluator found for it, or only a schedule that the
/// evaluator cannot describe.
struct Found {
  Copies copies = impossible;
  WorkingArrays working;
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> arrays;
  std::vector<Transfer> transfers;
  std::shared_ptr<Schedule> schedule;
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
  /// Records the current sequence if it is the best so far. run() calls this before it leaves such a
  /// sequence, and at its end.
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
