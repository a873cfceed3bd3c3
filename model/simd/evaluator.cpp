#include "model/simd/evaluator.h"

#include <algorithm>
#include <bit>

namespace nestor::simd {

namespace {

constexpr std::uint16_t bit(std::uint8_t array) { return static_cast<std::uint16_t>(1U << array); }

/// Returns a fixed pseudo-random number per (value, array). The fingerprint of a state is the XOR of these
/// numbers over its members.
constexpr std::uint64_t member_hash(Value value, std::uint8_t array) {
  std::uint64_t z = (std::uint64_t{value} * 16 + array + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return z ^ (z >> 32);
}

constexpr std::uint32_t unlimited = ~std::uint32_t{0};

std::uint32_t pool_capacity(const ScheduleProblem& problem, const WorkingArrays& working) {
  if (problem.array_limit() == 0) return unlimited;
  std::uint64_t rows = std::uint64_t{problem.array_limit()} * problem.rows() - problem.input_count();
  for (const std::uint32_t array : working.physical) rows -= problem.free_rows(array);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, unlimited));
}

}  // namespace

Evaluator::Evaluator(const ScheduleProblem& problem, WorkingArrays working, bool trials)
    : problem_(&problem), working_(std::move(working)), pool_(working_.count()) {
  arrays_.resize(std::size_t{pool_} + 1);
  for (std::uint8_t w = 0; w < pool_; ++w) arrays_[w].capacity = problem.free_rows(working_.physical[w]);
  arrays_[pool_].capacity = pool_capacity(problem, working_);
  home_.assign(problem.value_count(), 0);
  for (Value input = 0; input < problem.input_count(); ++input) {
    home_[input] = bit(pool_);
    for (std::uint8_t w = 0; w < pool_; ++w)
      if (working_.physical[w] == problem.home_of(input)) home_[input] = bit(w);
  }
  mask_ = home_;
  use_.assign(problem.value_count(), 0);
  slot_of_.assign(slot_index(problem.value_count(), 0), 0);
  segment_length_ = trials ? std::max(32U, problem.gate_count() / 128) : std::max(1U, problem.gate_count());
  current_.resize(segment_count() + 1);
  trial_.resize(segment_count() + 1);
}

std::uint32_t Evaluator::segment_count() const {
  return static_cast<std::uint32_t>(ceil_divide(problem_->gate_count(), segment_length_));
}

void Evaluator::add(Value value, std::uint8_t array, std::uint32_t next) {
  auto& slots = arrays_[array].slots;
  slot_of_[slot_index(value, array)] = static_cast<std::uint32_t>(slots.size());
  slots.push_back({value, next});
  mask_[value] = static_cast<std::uint16_t>(mask_[value] | bit(array));
  fingerprint_ ^= member_hash(value, array);
}

void Evaluator::remove(Value value, std::uint8_t array) {
  auto& slots = arrays_[array].slots;
  const std::uint32_t slot = slot_of_[slot_index(value, array)];
  slots[slot] = slots.back();
  slot_of_[slot_index(slots[slot].value, array)] = slot;
  slots.pop_back();
  mask_[value] = static_cast<std::uint16_t>(mask_[value] & ~bit(array));
  fingerprint_ ^= member_hash(value, array);
}

/// Frees the rows of a value that is no longer needed.
void Evaluator::retire(Value value) {
  for (unsigned left = mask_[value] & ~unsigned{home_[value]}; left != 0; left &= left - 1)
    remove(value, static_cast<std::uint8_t>(std::countr_zero(left)));
}

void Evaluator::clear() {
  for (Array& array : arrays_) {
    for (const Slot& slot : array.slots) mask_[slot.value] = home_[slot.value];
    array.slots.clear();
  }
  fingerprint_ = 0;
}

void Evaluator::reset() {
  clear();
  copies_ = 0;
  for (Value value = 0; value < problem_->value_count(); ++value)
    use_[value] = problem_->reader_begin()[value];
}

void Evaluator::save(Checkpoint& checkpoint) const {
  checkpoint.copies = copies_;
  checkpoint.fingerprint = fingerprint_;
  checkpoint.counts.clear();
  checkpoint.residents.clear();
  checkpoint.uses.clear();
  for (const Array& array : arrays_) {
    checkpoint.counts.push_back(static_cast<std::uint32_t>(array.slots.size()));
    for (const Slot& slot : array.slots) {
      checkpoint.residents.push_back(slot.value);
      checkpoint.uses.push_back(use_[slot.value]);
    }
  }
  checkpoint.uses.insert(checkpoint.uses.end(), use_.begin(), use_.begin() + problem_->input_count());
}

void Evaluator::restore(const Sequence& sequence, const Checkpoint& checkpoint) {
  clear();
  std::size_t resident = 0;
  for (std::uint8_t array = 0; array <= pool_; ++array)
    for (std::uint32_t i = 0; i < checkpoint.counts[array]; ++i, ++resident) {
      const Value value = checkpoint.residents[resident];
      use_[value] = checkpoint.uses[resident];
      add(value, array, array == pool_ ? never : sequence.next_use(value, use_[value], array));
    }
  std::copy(checkpoint.uses.end() - problem_->input_count(), checkpoint.uses.end(), use_.begin());
  copies_ = checkpoint.copies;
  fingerprint_ = checkpoint.fingerprint;
}

/// Returns an array that can store a value saved from `array`, or pool_ + 1 if there is none.
std::uint8_t Evaluator::saving_place(std::uint8_t array) const {
  if (!arrays_[pool_].full()) return pool_;
  for (const Slot& slot : arrays_[pool_].slots)  // a redundant value in the pool can be dropped
    if ((mask_[slot.value] & ~bit(pool_)) != 0) return pool_;
  for (std::uint8_t w = 0; w < pool_; ++w)
    if (w != array && !arrays_[w].full()) return w;
  return static_cast<std::uint8_t>(pool_ + 1);
}

/// Returns the first other working array that will read a value stored only in `array` and that has a free
/// row. Saving the value there costs no further copy. Returns the pool if there is no such array.
std::uint8_t Evaluator::preferred_place(const Sequence& sequence, Value value, std::uint8_t array) const {
  if (pool_ == 1) return pool_;
  for (std::uint32_t use = use_[value]; use < sequence.end_use(value); ++use) {
    const std::uint8_t other = sequence.array_of(sequence.reader(use));
    if (other != array && !arrays_[other].full()) return other;
  }
  return pool_;
}

bool Evaluator::thin_pool(std::uint32_t position, bool for_result, std::vector<Transfer>& log) {
  if (!arrays_[pool_].full()) return true;
  for (const Slot& slot : arrays_[pool_].slots)
    if ((mask_[slot.value] & ~bit(pool_)) != 0) {
      log.push_back({position, slot.value, TransferKind::drop, for_result, pool_, pool_});
      remove(slot.value, pool_);
      return true;
    }
  return false;
}

/// Frees one row of `array` without removing `pinned`. If `pinned` is null, the row is for a result. Returns
/// false if no value can be removed.
bool Evaluator::make_room(const Sequence& sequence, std::uint8_t array, std::uint32_t position,
                          const Fanins* pinned, std::vector<Transfer>& log) {
  const std::uint8_t reserve = saving_place(array);
  const bool can_save = reserve <= pool_;
  float best_score = -1.0F;
  Value victim = no_value;
  for (const Slot& slot : arrays_[array].slots) {
    const Value value = slot.value;
    if (pinned != nullptr && std::find(pinned->begin(), pinned->end(), value) != pinned->end()) continue;
    const bool sole = (mask_[value] & ~bit(array)) == 0;
    const bool read_here = slot.next != never;
    if (!sole && !read_here) {
      victim = value;
      break;
    }
    if (sole && !can_save) continue;
    std::uint32_t until = read_here ? slot.next : sequence.size();
    float loss = static_cast<float>(sole) + static_cast<float>(read_here);
    if (sole && pool_ > 1 && use_[value] < sequence.end_use(value) &&
        preferred_place(sequence, value, array) != pool_) {
      loss -= 0.75F;
      if (!read_here) until = sequence.position_of(sequence.reader(use_[value]));
    }
    const float score = static_cast<float>(until - position + 1) / loss;
    if (score > best_score) {
      best_score = score;
      victim = value;
    }
  }
  if (victim == no_value) return false;
  const bool for_result = pinned == nullptr;
  if ((mask_[victim] & ~bit(array)) == 0) {
    std::uint8_t place = preferred_place(sequence, victim, array);
    if (place == pool_) {
      place = reserve;
      if (place == pool_ && !thin_pool(position, for_result, log)) return false;
    }
    const std::uint32_t next = place == pool_ ? never : sequence.next_use(victim, use_[victim], place);
    add(victim, place, next);
    log.push_back({position, victim, TransferKind::save, for_result, array, place});
    ++copies_;
  }
  log.push_back({position, victim, TransferKind::drop, for_result, array, array});
  remove(victim, array);
  return true;
}

bool Evaluator::step(const Sequence& sequence, std::uint32_t position, std::vector<Transfer>& log) {
  const std::uint32_t gate = sequence.gate_at(position);
  const std::uint8_t array = sequence.array_of(gate);
  const Fanins& fanins = problem_->fanins(gate);
  for (const Value value : fanins) {
    if (value == no_value) break;
    if ((mask_[value] & bit(array)) != 0) continue;
    if (arrays_[array].full() && !make_room(sequence, array, position, &fanins, log)) return false;
    const auto from = static_cast<std::uint8_t>(std::countr_zero(unsigned{mask_[value]}));
    add(value, array, position);
    log.push_back({position, value, TransferKind::bring, false, from, array});
    ++copies_;
  }
  for (const Value value : fanins) {
    if (value == no_value) break;
    if (++use_[value] == sequence.end_use(value) && !problem_->must_stay(value)) {
      retire(value);
    } else if ((home_[value] & bit(array)) == 0) {
      arrays_[array].slots[slot_of_[slot_index(value, array)]].next =
          sequence.next_use(value, use_[value], array);
    }
  }
  if (arrays_[array].full() && !make_room(sequence, array, position, nullptr, log)) return false;
  const Value result = problem_->value_of_gate(gate);
  use_[result] = sequence.first_use(result);
  if (use_[result] < sequence.end_use(result) || problem_->must_stay(result))
    add(result, array, sequence.next_use(result, use_[result], array));
  return true;
}

bool Evaluator::run_segment(const Sequence& sequence, std::uint32_t segment, std::vector<Transfer>& log,
                            const Stop& stop) {
  log.clear();
  const std::uint32_t begin = segment * segment_length_;
  const std::uint32_t end = std::min(sequence.size(), begin + segment_length_);
  work_ += end - begin;
  constexpr std::uint32_t stretch = 4096;
  for (std::uint32_t position = begin; position < end; ++position)
    if (!step(sequence, position, log) || (position % stretch == stretch - 1 && should_stop(stop)))
      return false;
  return true;
}

Copies Evaluator::evaluate(const Sequence& sequence, const Stop& stop) {
  reset();
  current_total_ = impossible;
  trial_begin_ = trial_end_ = 0;
  for (std::uint32_t segment = 0; segment < segment_count(); ++segment) {
    save(current_[segment].start);
    if (!run_segment(sequence, segment, current_[segment].transfers, stop)) return impossible;
  }
  return current_total_ = copies_;
}

Copies Evaluator::trial(const Sequence& sequence, std::uint32_t first, std::uint32_t last,
                        const TrialLimits& limits) {
  trial_begin_ = first / segment_length_;
  restore(sequence, current_[trial_begin_].start);
  for (std::uint32_t segment = trial_begin_; segment < segment_count(); ++segment) {
    trial_end_ = segment;
    if (segment > trial_begin_) {
      const Checkpoint& old = current_[segment].start;
      if (segment * segment_length_ > last && old.fingerprint == fingerprint_) {
        trial_total_ = copies_ + (current_total_ - old.copies);
        return trial_total_ <= limits.copies ? trial_total_ : impossible;
      }
      const std::int64_t expected = std::int64_t{copies_} + current_total_ - old.copies;
      if (copies_ > limits.copies || expected > std::int64_t{limits.copies} + limits.slack) return impossible;
      if (segment * segment_length_ > std::uint64_t{last} + limits.patience) return impossible;
      save(trial_[segment].start);
    }
    if (!run_segment(sequence, segment, trial_[segment].transfers)) return impossible;
  }
  trial_end_ = segment_count();
  trial_total_ = copies_;
  return trial_total_ <= limits.copies ? trial_total_ : impossible;
}

void Evaluator::accept() {
  for (std::uint32_t segment = trial_begin_; segment < trial_end_; ++segment) {
    if (segment > trial_begin_) std::swap(current_[segment].start, trial_[segment].start);
    std::swap(current_[segment].transfers, trial_[segment].transfers);
  }
  for (std::uint32_t segment = trial_end_; segment < segment_count(); ++segment)
    current_[segment].start.copies += trial_total_ - current_total_;
  current_total_ = trial_total_;
}

std::vector<Transfer> Evaluator::transfers() const {
  std::vector<Transfer> all;
  for (std::uint32_t segment = 0; segment < segment_count(); ++segment)
    all.insert(all.end(), current_[segment].transfers.begin(), current_[segment].transfers.end());
  return all;
}

}  // namespace nestor::simd
