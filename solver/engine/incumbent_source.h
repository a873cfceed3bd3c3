// Heuristics beside an exact search. The engine asks its source for a better solution each time its work has
// grown fourfold. An attempt is charged its whole budget as expansions. A run with a work limit therefore
// asks at the same points, and gets the same answers, as a run that a time limit or a signal stopped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace nestor {

template <typename Found>
class IncumbentSource {
 public:
  IncumbentSource() = default;
  IncumbentSource(const IncumbentSource&) = delete;
  IncumbentSource& operator=(const IncumbentSource&) = delete;
  virtual ~IncumbentSource() = default;

  /// Returns a solution that costs less than `best`, if any. `best` is null if no solution is known. The work
  /// must be about that of `work` expansions, and the result must depend only on the arguments.
  virtual std::optional<Found> improve(const Found* best, std::uint64_t work) = 0;
};

/// Schedule of the attempts of a source. Opening a branch takes about as long as several expansions and
/// counts as that many, because many proofs open more branches than they expand labels.
class AttemptSchedule {
 public:
  /// Returns the budget of the next attempt, or 0 if none is due.
  std::uint64_t budget(std::uint64_t expanded, std::uint64_t opened) const {
    const std::uint64_t work = work_of(expanded, opened);
    return work >= next_ ? std::max(least_budget, work / 16) : 0;
  }
  void attempted(std::uint64_t expanded, std::uint64_t opened) { next_ = 4 * work_of(expanded, opened); }

  template <typename State>
  bool exchange(State& state) {
    return state.values(next_);
  }

 private:
  static constexpr std::uint64_t work_of_opening = 30;
  static constexpr std::uint64_t least_budget = 300;

  static std::uint64_t work_of(std::uint64_t expanded, std::uint64_t opened) {
    return expanded + work_of_opening * opened;
  }

  std::uint64_t next_ = 3000;  // work of the next attempt
};

}  // namespace nestor
