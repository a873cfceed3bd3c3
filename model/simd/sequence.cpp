#include "model/simd/sequence.h"

#include <algorithm>

namespace nestor::simd {

Sequence::Sequence(const ScheduleProblem& problem, std::span<const std::uint32_t> order)
    : problem_(&problem), position_(order.size()), readers_(problem.all_readers().size()) {
  assign(order, std::vector<std::uint8_t>(order.size(), 0));
}

void Sequence::assign(std::span<const std::uint32_t> order, std::span<const std::uint8_t> arrays) {
  order_.assign(order.begin(), order.end());
  array_.assign(arrays.begin(), arrays.end());
  // Appending each gate to its fanins' lists in order keeps the lists sorted by position.
  std::vector<std::uint32_t> cursor(problem_->reader_begin().begin(), problem_->reader_begin().end() - 1);
  for (std::uint32_t position = 0; position < size(); ++position) {
    const std::uint32_t gate = order_[position];
    position_[gate] = position;
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) readers_[cursor[value]++] = gate;
  }
}

void Sequence::rearrange(std::uint32_t first, std::span<const std::uint32_t> stretch,
                         std::span<const std::uint32_t> moved) {
  for (std::uint32_t i = 0; i < stretch.size(); ++i) {
    order_[first + i] = stretch[i];
    position_[stretch[i]] = first + i;
  }
  for (const std::uint32_t gate : moved)
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) sort_readers(value);
}

void Sequence::sort_readers(Value value) {
  // Insertion sort, because the list is nearly sorted.
  const std::uint32_t begin = first_use(value), end = end_use(value);
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    const std::uint32_t gate = readers_[i];
    const std::uint32_t position = position_[gate];
    std::uint32_t k = i;
    for (; k > begin && position_[readers_[k - 1]] > position; --k) readers_[k] = readers_[k - 1];
    readers_[k] = gate;
  }
}

}  // namespace nestor::simd
