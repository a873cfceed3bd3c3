#include "heuristics/simd/moves.h"

#include <algorithm>
#include <array>

namespace nestor::simd {

namespace {
constexpr std::size_t block_limit = 96;
}

Mover::Mover(Sequence& sequence, const WorkingArrays& working)
    : sequence_(&sequence),
      working_arrays_(working.count()),
      stamp_(sequence.size(), 0),
      crossings_(sequence, working) {}

void Mover::mark(std::uint32_t gate) {
  stamp_[gate] = stamp_now_;
  block_.push_back(gate);
}

/// Collects the gate and its ancestors from position `lowest` on. Returns false if these are too many.
bool Mover::collect_ancestors(std::uint32_t gate, std::uint32_t lowest) {
  const ScheduleProblem& problem = sequence_->problem();
  ++stamp_now_;
  block_.clear();
  mark(gate);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    for (const Value value : problem.fanins(block_[i])) {
      if (value == no_value || problem.is_input(value)) continue;
      const std::uint32_t fanin = problem.gate_of(value);
      if (stamp_[fanin] != stamp_now_ && sequence_->position_of(fanin) >= lowest) mark(fanin);
    }
    if (block_.size() > block_limit) return false;
  }
  return true;
}

/// Collects the gate and its descendants up to position `highest`. Returns false if these are too many.
bool Mover::collect_descendants(std::uint32_t gate, std::uint32_t highest) {
  const ScheduleProblem& problem = sequence_->problem();
  ++stamp_now_;
  block_.clear();
  mark(gate);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const Value value = problem.value_of_gate(block_[i]);
    for (std::uint32_t use = sequence_->first_use(value); use < sequence_->end_use(value); ++use) {
      const std::uint32_t reader = sequence_->reader(use);
      if (sequence_->position_of(reader) > highest) break;
      if (stamp_[reader] != stamp_now_) mark(reader);
    }
    if (block_.size() > block_limit) return false;
  }
  return true;
}

bool Mover::move_earlier(std::uint32_t from, std::uint32_t to) {
  if (!collect_ancestors(sequence_->gate_at(from), to)) return false;
  before_.assign(sequence_->order().begin() + to, sequence_->order().begin() + from + 1);
  if (block_.size() == before_.size()) return false;
  after_.clear();
  for (const std::uint32_t gate : before_)
    if (stamp_[gate] == stamp_now_) after_.push_back(gate);
  for (const std::uint32_t gate : before_)
    if (stamp_[gate] != stamp_now_) after_.push_back(gate);
  first_ = to;
  last_ = from;
  return true;
}

bool Mover::move_later(std::uint32_t from, std::uint32_t to) {
  if (!collect_descendants(sequence_->gate_at(from), to)) return false;
  before_.assign(sequence_->order().begin() + from, sequence_->order().begin() + to + 1);
  if (block_.size() == before_.size()) return false;
  after_.clear();
  for (const std::uint32_t gate : before_)
    if (stamp_[gate] != stamp_now_) after_.push_back(gate);
  for (const std::uint32_t gate : before_)
    if (stamp_[gate] == stamp_now_) after_.push_back(gate);
  first_ = from;
  last_ = to;
  return true;
}

/// Returns a target position at a random distance, whose scale is a random power of two.
std::uint32_t Mover::target(std::uint32_t from, bool earlier, Random& random) const {
  const std::uint32_t room = earlier ? from : sequence_->size() - 1 - from;
  if (room == 0) return from;
  std::uint32_t scale = 1;
  while (scale < room && random.below(6) != 0) scale *= 2;
  const auto distance = static_cast<std::uint32_t>(1 + random.below(std::min(scale, room)));
  return earlier ? from - distance : from + distance;
}

bool Mover::send(Random& random) {
  if (working_arrays_ < 2) return false;
  const auto array = static_cast<std::uint8_t>(random.below(working_arrays_));
  sent_to_ = array;
  arrays_before_.clear();
  bool changed = false;
  const std::uint32_t before = crossings_.around(block_);
  for (const std::uint32_t gate : block_) {
    arrays_before_.push_back(sequence_->array_of(gate));
    changed |= sequence_->array_of(gate) != array;
    sequence_->set_array(gate, array);
  }
  if (changed)
    crossing_change_ =
        static_cast<std::int32_t>(crossings_.around(block_)) - static_cast<std::int32_t>(before);
  return changed;
}

/// Fills the block with gates whose fanins are all among a few values: the fanins of the gate at a position
/// and of a few other gates, mostly near it. (Distant gates take long to evaluate and rarely share values.)
void Mover::gather_companions(std::uint32_t from, Random& random) {
  const ScheduleProblem& problem = sequence_->problem();
  std::array<Value, 12> values{};
  std::size_t count = 0;
  const auto known = [&](Value value) {
    return std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), value) !=
           values.begin() + static_cast<std::ptrdiff_t>(count);
  };
  std::uint32_t at = from;
  for (std::uint64_t seeds = 2 + random.below(3); seeds > 0; --seeds) {
    for (const Value value : problem.fanins(sequence_->gate_at(at)))
      if (value != no_value && !known(value)) values[count++] = value;
    at = target(from, random.below(2) == 0, random);
  }
  ++stamp_now_;
  block_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto readers = problem.readers(values[i]);
    if (readers.size() > block_limit) continue;
    for (const std::uint32_t gate : readers) {
      if (stamp_[gate] == stamp_now_) continue;
      const Fanins& fanins = problem.fanins(gate);
      if (std::all_of(fanins.begin(), fanins.end(),
                      [&](Value value) { return value == no_value || known(value); }))
        mark(gate);
    }
  }
}

bool Mover::propose(Random& random) {
  const auto from = static_cast<std::uint32_t>(random.below(sequence_->size()));
  const bool earlier = random.below(2) == 0;
  const std::uint32_t to = target(from, earlier, random);
  rearranged_ = sent_ = false;
  crossing_change_ = 0;
  const std::uint64_t kind = working_arrays_ > 1 ? random.below(5) : 0;
  if (to == from && kind == 0) return false;
  const bool collected = earlier ? move_earlier(from, to) : move_later(from, to);
  if (kind >= 2) {  // only arrays change: of the gate, of its connected block, or of companions
    if (kind == 3 || !collected) block_.assign(1, sequence_->gate_at(from));
    if (kind == 4) gather_companions(from, random);
    if (block_.empty()) return false;
    sent_ = send(random);
    first_ = sequence_->size();
    last_ = 0;
    for (const std::uint32_t gate : block_) {
      first_ = std::min(first_, sequence_->position_of(gate));
      last_ = std::max(last_, sequence_->position_of(gate));
    }
    return sent_;
  }
  if (!collected) return false;
  rearranged_ = true;
  sequence_->rearrange(first_, after_, block_);
  if (kind == 1) sent_ = send(random);
  return true;
}

void Mover::undo() {
  if (sent_)
    for (std::size_t i = 0; i < block_.size(); ++i) sequence_->set_array(block_[i], arrays_before_[i]);
  if (rearranged_) sequence_->rearrange(first_, before_, block_);
}

void Mover::redo() {
  if (sent_)
    for (const std::uint32_t gate : block_) sequence_->set_array(gate, sent_to_);
  if (rearranged_) sequence_->rearrange(first_, after_, block_);
}

}  // namespace nestor::simd
