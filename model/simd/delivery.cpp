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
      completing_(problem.value_count()),
      closed_(problem.value_count(), 0),
      side_(problem.value_count(), elsewhere),
      stop_(std::move(stop)) {
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    for (const Value value : problem.fanins(gate)) {
      if (value == no_value) continue;
      ++missing_[gate];
      missing_values_[gate] ^= value;
    }
    if (missing_[gate] == 1) add_completion(missing_values_[gate]);
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

void DeliverySearch::add_completion(Value value) {
  if (completions_[value]++ == 0) completing_.set(value);
}
void DeliverySearch::remove_completion(Value value) {
  if (--completions_[value] == 0) completing_.reset(value);
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
        add_completion(missing_values_[gate]);
      } else if (missing_[gate] == 0) {
        remove_completion(added);
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
      if (missing_[gate] == 1) remove_completion(missing_values_[gate]);
      if (missing_[gate] == 0) add_completion(value);
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

/// True if the delivered values and `value` suffice with `left` more copies.
bool DeliverySearch::reaches_with(Value value, std::uint32_t left) {
  const std::size_t mark = trail_.size();
  deliver(value);
  delivered_.push_back(value);
  const bool found = reaches(value + 1, left);
  delivered_.pop_back();
  withdraw(mark);
  return found;
}

/// True if the delivered values suffice with one more copy, of a value from `first` on, where the outputs of
/// the closure do not suffice. A value that completes no gate adds only itself. The values that are skipped
/// count as work.
bool DeliverySearch::reaches_with_one(Value first) {
  const auto reads_before = [&](Value value) {
    return static_cast<std::uint64_t>(problem_->readers(value).data() - problem_->all_readers().data());
  };
  Value next = first;
  for (auto i = first == 0 ? completing_.find_first() : completing_.find_next(first - 1);
       i != boost::dynamic_bitset<>::npos; i = completing_.find_next(i)) {
    const auto value = static_cast<Value>(i);
    work_ += reads_before(value) - reads_before(next);
    if (exhausted()) return false;
    work_ += problem_->readers(value).size();
    next = value + 1;
    if (closed_[value] == 0 && reaches_with(value, 0)) return true;
  }
  if (next < problem_->value_count()) work_ += problem_->all_readers().size() - reads_before(next);
  return false;
}

/// True if the delivered values suffice with `left` more copies. Values from `first` on may be delivered.
bool DeliverySearch::reaches(Value first, std::uint32_t left) {
  const bool enough_closed = outputs_closed_ + left >= outputs_wanted_;
  if (enough_closed && stays_apart(left)) return true;
  if (left == 0) return false;
  if (left == 1 && !enough_closed) return reaches_with_one(first);
  for (Value value = first; value < problem_->value_count() && !exhausted(); ++value) {
    // An output without readers adds only itself to a set. Instead of delivering it, each remaining copy is
    // assumed to deliver one output.
    if (problem_->readers(value).empty()) continue;
    work_ += problem_->readers(value).size();
    // Delivering a value of the closure does not enlarge the closure. If gates are computed once, it may
    // still be delivered: it is then computed elsewhere.
    if (closed_[value] != 0 && !compute_once_) continue;
    if (reaches_with(value, left - 1)) return true;
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
