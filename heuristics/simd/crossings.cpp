#include "heuristics/simd/crossings.h"

#include <bit>

namespace nestor::simd {

Crossings::Crossings(const Sequence& sequence, const WorkingArrays& working)
    : sequence_(&sequence),
      home_(sequence.problem().input_count(), 0),
      stamp_(sequence.problem().value_count(), 0) {
  for (Value input = 0; input < home_.size(); ++input)
    for (std::uint8_t w = 0; w < working.count(); ++w)
      if (working.physical[w] == sequence.problem().home_of(input))
        home_[input] = static_cast<std::uint16_t>(1U << w);
}

std::uint32_t Crossings::of(Value value) const {
  const ScheduleProblem& problem = sequence_->problem();
  const unsigned own =
      problem.is_input(value) ? home_[value] : 1U << sequence_->array_of(problem.gate_of(value));
  unsigned readers = 0;
  for (const std::uint32_t gate : problem.readers(value)) readers |= 1U << sequence_->array_of(gate);
  return static_cast<std::uint32_t>(std::popcount(readers & ~own));
}

std::uint32_t Crossings::around(const std::vector<std::uint32_t>& gates) {
  const ScheduleProblem& problem = sequence_->problem();
  ++stamp_now_;
  std::uint32_t count = 0;
  const auto visit = [&](Value value) {
    if (value == no_value || stamp_[value] == stamp_now_) return;
    stamp_[value] = stamp_now_;
    count += of(value);
  };
  for (const std::uint32_t gate : gates) {
    visit(problem.value_of_gate(gate));
    for (const Value value : problem.fanins(gate)) visit(value);
  }
  return count;
}

}  // namespace nestor::simd
