#include "model/simd/delivery.h"

#include <algorithm>
#include <utility>

namespace nestor::simd {

namespace {

/// Location of a value while S is determined.
enum Side : std::uint8_t { elsewhere = 0, delivered = 1, made = 2, made_and_returned = 3 };

}  // namespace

DeliverySearch::DeliverySearch(const ScheduleProblem& problem, bool compute_once, Stop stop)
    : problem_(&problem),
      compute_once_(compute_once),
      missing_(problem.gate_count(), 0),
      missing_values_(problem.gate_count(), 0),
      completions_(problem.value_count(), 0),
      closed_(problem.value_count(), 0),
      side_(problem.value_count(), elsewhere),
      stop_(std::move(stop)) {
  // An output without readers adds only itself to a set, so such outputs are not candidates. Instead, each
  // remaining copy is assumed to deliver one output.
  for (Value value = 0; value < problem.value_count(); ++value)
    if (const auto readers = problem.readers(value); !readers.empty())
      candidates_.push_back({value, static_cast<std::uint32_t>(readers.size())});
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    for (const Value value : problem.fanins(gate)) {
      if (value == no_value) continue;
      ++missing_[gate];
      missing_values_[gate] ^= value;
    }
    if (missing_[gate] == 1) ++completions_[missing_values_[gate]];
  }
  // A gate that reads only constants can be computed anywhere.
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    if (problem.fanins(gate)[0] == no_value) deliver(problem.value_of_gate(gate));
}

bool DeliverySearch::is_over() {
  constexpr std::uint64_t stretch = 100'000;
  if (should_stop(stop_)) budget_ = 0;
  alarm_ = std::min(budget_, work_ + stretch);
  return work_ > budget_;
}

void DeliverySearch::close(Value value) {
  closed_[value] = 1;
  trail_.push_back(value);
  if (problem_->must_stay(value)) ++outputs_closed_;
}

void DeliverySearch::deliver(Value value) {
  if (closed_[value] != 0) return;
  std::size_t next = trail_.size();
  close(value);
  for (; next < trail_.size(); ++next) {
    const Value added = trail_[next];
    const auto readers = problem_->readers(added);
    work_ += readers.size() + 1;
    for (const std::uint32_t gate : readers) {
      missing_values_[gate] ^= added;
      --missing_[gate];
      if (missing_[gate] == 1) {
        ++completions_[missing_values_[gate]];
      } else if (missing_[gate] == 0) {
        --completions_[added];
        if (closed_[problem_->value_of_gate(gate)] == 0) close(problem_->value_of_gate(gate));
      }
    }
  }
}

/// Undoes deliveries until the closure has `mark` values again.
void DeliverySearch::withdraw(std::size_t mark) {
  while (trail_.size() > mark) {
    const Value value = trail_.back();
    trail_.pop_back();
    closed_[value] = 0;
    if (problem_->must_stay(value)) --outputs_closed_;
    for (const std::uint32_t gate : problem_->readers(value)) {
      if (missing_[gate] == 1) --completions_[missing_values_[gate]];
      if (missing_[gate] == 0) ++completions_[value];
      ++missing_[gate];
      missing_values_[gate] ^= value;
    }
  }
}

/// Returns the number of outputs that are delivered or in S, for the current delivered and returned values.
std::uint32_t DeliverySearch::outputs_apart() {
  for (const Value value : trail_) side_[value] = made;
  for (const Value value : returned_) side_[value] = made_and_returned;
  for (const Value value : delivered_) side_[value] = delivered;
  const auto lacks_a_fanin = [&](std::uint32_t gate) {
    const Fanins& fanins = problem_->fanins(gate);
    return std::any_of(fanins.begin(), fanins.end(),
                       [&](Value value) { return value != no_value && side_[value] == elsewhere; });
  };
  const auto read_elsewhere = [&](Value value) {
    const auto readers = problem_->readers(value);
    return std::any_of(readers.begin(), readers.end(),
                       [&](std::uint32_t gate) { return side_[problem_->value_of_gate(gate)] < made; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Value value : trail_) {
      work_ += problem_->readers(value).size() + 1;
      if (side_[value] < made) continue;
      if (!lacks_a_fanin(problem_->gate_of(value)) &&
          (side_[value] == made_and_returned || !read_elsewhere(value)))
        continue;
      side_[value] = elsewhere;
      changed = true;
    }
  }
  std::uint32_t outputs = 0;
  for (const Value value : trail_) {
    if (side_[value] != elsewhere && problem_->must_stay(value)) ++outputs;
    side_[value] = elsewhere;
  }
  return outputs;
}

/// True if the delivered values suffice, with up to `left` further values returned or outputs copied.
bool DeliverySearch::stays_apart(std::uint32_t left) {
  if (!compute_once_ || outputs_apart() + left >= outputs_wanted_) return true;
  if (left == 0) return false;
  for (std::size_t i = 0; i < trail_.size() && !exhausted(); ++i) {
    const Value value = trail_[i];
    if (problem_->is_input(value) || (!returned_.empty() && value <= returned_.back())) continue;
    returned_.push_back(value);
    const bool found = stays_apart(left - 1);
    returned_.pop_back();
    if (found) return true;
  }
  return false;
}

/// True if the delivered values suffice with `left` more copies. Candidates from `first` on may be delivered.
bool DeliverySearch::reaches(std::size_t first, std::uint32_t left) {
  const bool enough_closed = outputs_closed_ + left >= outputs_wanted_;
  if (enough_closed && stays_apart(left)) return true;
  if (left == 0) return false;
  const bool last = left == 1 && !enough_closed;
  for (std::size_t i = first; i < candidates_.size() && !exhausted(); ++i) {
    const Value value = candidates_[i].value;
    work_ += candidates_[i].readers;
    // Delivering a value of the closure does not enlarge the closure. A last value that completes no gate
    // adds only itself. If gates are computed once, a value in the closure may still be delivered: it is then
    // computed elsewhere.
    if (closed_[value] != 0 ? !compute_once_ || last : last && completions_[value] == 0) continue;
    const std::size_t mark = trail_.size();
    deliver(value);
    delivered_.push_back(value);
    const bool found = reaches(i + 1, left - 1);
    delivered_.pop_back();
    withdraw(mark);
    if (found) return true;
  }
  return false;
}

std::uint32_t DeliverySearch::fewest(std::uint32_t outputs, std::uint64_t budget) {
  outputs_wanted_ = outputs;
  work_ = alarm_ = 0;
  budget_ = budget;
  std::uint32_t values = 0;
  while (!reaches(0, values) && !exhausted()) ++values;
  return values;
}

}  // namespace nestor::simd
