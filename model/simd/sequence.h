// Decisions of a scheduler: the order in which gates are computed, and the working array of each gate. A
// Sequence keeps the readers of every value sorted by position. The next use, which Belady's rule needs at
// every eviction, is then found without a search of the order. The lists are updated when a stretch of the
// order is rearranged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/simd/problem.h"

namespace nestor::simd {

inline constexpr std::uint32_t never = ~std::uint32_t{0};

class Sequence {
 public:
  /// Computes the gates in `order` (topological), all in working array 0.
  Sequence(const ScheduleProblem& problem, std::span<const std::uint32_t> order);

  const ScheduleProblem& problem() const { return *problem_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }
  const std::vector<std::uint32_t>& order() const { return order_; }
  std::uint32_t gate_at(std::uint32_t position) const { return order_[position]; }
  std::uint32_t position_of(std::uint32_t gate) const { return position_[gate]; }
  std::uint8_t array_of(std::uint32_t gate) const { return array_[gate]; }
  const std::vector<std::uint8_t>& arrays() const { return array_; }
  void set_array(std::uint32_t gate, std::uint8_t array) { array_[gate] = array; }

  /// Readers of a value by position: reader(k) for k in [first_use, end_use).
  std::uint32_t first_use(Value value) const { return problem_->reader_begin()[value]; }
  std::uint32_t end_use(Value value) const { return problem_->reader_begin()[value + 1]; }
  std::uint32_t reader(std::uint32_t use) const { return readers_[use]; }
  /// Returns the first position from use `use` on that reads `value` in `array`, or `never`.
  std::uint32_t next_use(Value value, std::uint32_t use, std::uint8_t array) const {
    for (const std::uint32_t end = end_use(value); use < end; ++use)
      if (array_[readers_[use]] == array) return position_[readers_[use]];
    return never;
  }

  /// Replaces the stretch that begins at `first` by the same gates in another order. Only gates in `moved`
  /// may change their order relative to gates that share a fanin with them.
  void rearrange(std::uint32_t first, std::span<const std::uint32_t> stretch,
                 std::span<const std::uint32_t> moved);
  void assign(std::span<const std::uint32_t> order, std::span<const std::uint8_t> arrays);

 private:
  void sort_readers(Value value);

  const ScheduleProblem* problem_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> position_;
  std::vector<std::uint8_t> array_;
  std::vector<std::uint32_t> readers_;
};

}  // namespace nestor::simd
