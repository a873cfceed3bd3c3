#include "heuristics/simd/alive_profile.h"

#include <algorithm>

namespace nestor::simd {

AliveProfile::AliveProfile(const Sequence& sequence, AlivePrice price, bool inputs_travel)
    : sequence_(&sequence),
      price_(price),
      inputs_travel_(inputs_travel),
      alive_(sequence.size()),
      trial_(sequence.size()) {
  count();
}

std::int32_t AliveProfile::net_change(std::uint32_t gate) const {
  const ScheduleProblem& problem = sequence_->problem();
  const Value result = problem.value_of_gate(gate);
  const bool kept = problem.must_stay(result) || sequence_->first_use(result) < sequence_->end_use(result);
  std::int32_t change = kept ? 1 : 0;
  for (const Value value : problem.fanins(gate)) {
    if (value == no_value) break;
    if (problem.is_input(value)) {
      if (!inputs_travel_) continue;
      if (sequence_->reader(sequence_->first_use(value)) == gate) ++change;
    }
    if (sequence_->reader(sequence_->end_use(value) - 1) == gate && !problem.must_stay(value)) --change;
  }
  return change;
}

void AliveProfile::count() {
  std::int32_t alive = 0;
  total_ = 0;
  for (std::uint32_t position = 0; position < sequence_->size(); ++position) {
    alive += net_change(sequence_->gate_at(position));
    alive_[position] = alive;
    total_ += price_.of(alive);
  }
}

double AliveProfile::change(std::uint32_t first, std::uint32_t last) {
  first_ = first;
  last_ = last;
  change_ = 0;
  std::int32_t alive = first == 0 ? 0 : alive_[first - 1];
  for (std::uint32_t position = first; position < last; ++position) {
    alive += net_change(sequence_->gate_at(position));
    trial_[position] = alive;
    change_ += price_.of(alive) - price_.of(alive_[position]);
  }
  return change_;
}

void AliveProfile::commit() {
  std::copy(trial_.begin() + first_, trial_.begin() + last_, alive_.begin() + first_);
  total_ += change_;
}

}  // namespace nestor::simd
