// Pipeline of a DPU for model/cnm/dpu_clock: it finds the cycle at which each tasklet has issued all its
// slots.
//
// Tasklets issue in rounds. A tasklet may issue its next slot `gap` cycles after the last one, so the
// pipeline is a ring of places, one per cycle: `gap` places, some of them empty, or one place per tasklet if
// there are more than `gap` tasklets. A tasklet keeps its place from round to round. Its last slot is
// represented by round and place, and skipping the rounds in between takes no time. Only two events move
// tasklets to other places:
// - A tasklet that joins issues after all tasklets that are ready before it. The ready tasklets are at the
//   head of the ring without a break, because no cycle stays empty while a tasklet is ready. Their number
//   follows from the members that issued a slot in the last gap - 1 cycles and are not ready yet. The
//   tasklets behind the new one wait one cycle each, up to the first empty place. If there is no empty place,
//   the ring grows.
// - A tasklet that leaves creates an empty place, except in a ring longer than `gap`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "model/cnm/turns.h"

namespace nestor::cnm {

class PipelinePlaces {
 public:
  /// Maximum size of the ring; masks of places and cycles must fit a word.
  static constexpr Int most = 48;

  /// Requires gap <= `most`.
  explicit PipelinePlaces(Int gap) : gap_(static_cast<std::uint32_t>(gap)), size_(gap_) {}

  void clear() {
    size_ = gap_;
    members_ = head_ = first_ = 0;
    round_ = now_ = 0;
    taken_ = issued_ = 0;
  }
  bool empty() const { return members_ == 0; }
  /// Return the next tasklet to issue its last slot, and the cycle of that slot. The ring must not be empty.
  std::uint32_t first() const { return order_[first_]; }
  Int first_end() const {
    const std::uint32_t tasklet = order_[first_];
    return now_ + (last_round_[tasklet] - round_) * size_ + place_[tasklet] - head_;
  }
  /// Removes the tasklet first() after its last slot.
  void leave();
  /// Adds a tasklet that is ready at this cycle, which is not in the past, with at least one slot to issue.
  /// Tasklets that are ready at the same cycle are ordered by number and must join in that order. If the
  /// tasklet finishes before all others, and before `until`, it leaves immediately and the cycle of its last
  /// slot is returned. Otherwise it becomes a member.
  std::optional<Int> join(std::uint32_t tasklet, Int ready, Int slots, Int until);

 private:
  friend class PipelineVisits;
  using Word = std::uint64_t;
  static constexpr std::uint32_t word_bits = 64;

  Word whole() const { return (Word{1} << size_) - 1; }
  std::uint32_t at(std::uint32_t from_head) const {
    const std::uint32_t place = head_ + from_head;
    return place < size_ ? place : place - size_;
  }
  // Moves the head forward by `from_head` places after `rounds` whole rounds.
  void turn(std::uint32_t from_head, Int rounds);
  void pass_head();
  void advance(Int to);
  void push_back(std::uint32_t begin, std::uint32_t end);
  std::uint32_t widen(std::uint32_t from_head);
  void list(std::uint32_t tasklet);
  std::uint32_t just_issued(Word latest) const;

  std::uint32_t gap_;
  std::uint32_t size_;  // size of the ring
  std::uint32_t members_ = 0;
  std::uint32_t head_ = 0;  // place that issues next, at cycle now_
  Int round_ = 0, now_ = 0;
  Word taken_ = 0;  // occupied places, relative to the head
  // Cycles before now_ in which a current member issued a slot; the last cycle is the highest bit.
  Word issued_ = 0;
  std::array<std::uint8_t, word_bits> who_{};    // tasklet at each place
  std::array<std::uint8_t, word_bits> place_{};  // place of each tasklet
  std::array<Int, word_bits> last_round_{};      // by tasklet: round of its last slot
  std::array<std::uint8_t, word_bits> order_{};  // tasklets by round and place of their last slots, cyclic
  std::uint32_t first_ = 0;                      // start of the cyclic order
};

inline void PipelinePlaces::turn(std::uint32_t from_head, Int rounds) {
  const Word before = taken_;
  if (from_head > 0) {
    taken_ = (taken_ >> from_head | taken_ << (size_ - from_head)) & whole();
    head_ += from_head;
    if (head_ >= size_) {
      head_ -= size_;
      ++round_;
    }
  }
  if (rounds > 0) {
    round_ += rounds;
    issued_ = taken_ << (word_bits - size_);
  } else if (from_head > 0) {
    issued_ = issued_ >> from_head | before << (word_bits - from_head);
  }
}

// Moves the head forward by one place, and leaves the passed place empty.
inline void PipelinePlaces::pass_head() {
  taken_ >>= 1U;
  if (++head_ == size_) {
    head_ = 0;
    ++round_;
  }
}

inline void PipelinePlaces::advance(Int to) {
  const Int cycles = to - now_;
  now_ = to;
  if (members_ == 0) {
    issued_ = 0;
    return;
  }
  if (cycles < Int{size_}) return turn(static_cast<std::uint32_t>(cycles), 0);
  const Int rounds = cycles / size_;
  turn(static_cast<std::uint32_t>(cycles - rounds * size_), rounds);
}

inline void PipelinePlaces::leave() {
  const std::uint32_t tasklet = order_[first_];
  const std::uint32_t place = place_[tasklet];
  const Int rounds = last_round_[tasklet] - round_;
  now_ = first_end() + 1;
  if (place >= head_)
    turn(place - head_, rounds);
  else
    turn(place + size_ - head_, rounds - 1);
  --members_;
  first_ = (first_ + 1) % word_bits;
  issued_ >>= 1U;
  if (size_ == gap_) return pass_head();
  taken_ >>= 1U;
  --size_;
  for (std::uint32_t i = place; i < size_; ++i) {
    who_[i] = who_[i + 1];
    place_[who_[i]] = static_cast<std::uint8_t>(i);
  }
  if (head_ == size_) {
    head_ = 0;
    ++round_;
  }
}

// Delays the tasklets at places [begin, end), relative to the head, by one cycle each; the place `end` is
// empty.
inline void PipelinePlaces::push_back(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = end; i > begin; --i) {
    const std::uint32_t to = at(i);
    const std::uint8_t tasklet = who_[at(i - 1)];
    who_[to] = tasklet;
    place_[tasklet] = static_cast<std::uint8_t>(to);
    last_round_[tasklet] += Int{to == 0};
  }
}

// Inserts a place before the place `from_head`, relative to the head. Returns its number.
inline std::uint32_t PipelinePlaces::widen(std::uint32_t from_head) {
  std::uint32_t place = head_ + from_head;
  if (place > size_) place -= size_;
  for (std::uint32_t i = size_; i > place; --i) {
    who_[i] = who_[i - 1];
    place_[who_[i]] = static_cast<std::uint8_t>(i);
  }
  ++size_;
  taken_ = whole();
  if (place <= head_ && from_head > 0) ++head_;
  return place;
}

inline void PipelinePlaces::list(std::uint32_t tasklet) {
  const Int round = last_round_[tasklet];
  const std::uint8_t place = place_[tasklet];
  std::uint32_t i = first_ + members_++;
  for (; i > first_; --i) {
    const std::uint8_t other = order_[(i - 1) % word_bits];
    if (last_round_[other] < round || (last_round_[other] == round && place_[other] < place)) break;
    order_[i % word_bits] = other;
  }
  order_[i % word_bits] = static_cast<std::uint8_t>(tasklet);
}

// Returns the number of members that issued a slot in the last `gap` cycles, except the first of these
// cycles. In most calls no tasklet is late, and no bits need to be counted.
inline std::uint32_t PipelinePlaces::just_issued(Word latest) const {
  if (latest == taken_) return members_ - static_cast<std::uint32_t>(latest & 1U);
  if (latest == (Word{1} << gap_) - 1) return gap_ - 1;
  return static_cast<std::uint32_t>(std::popcount(latest >> 1U));
}

inline std::optional<Int> PipelinePlaces::join(std::uint32_t tasklet, Int ready, Int slots, Int until) {
  advance(ready);
  const Word latest = issued_ >> (word_bits - gap_);  // the last `gap` cycles
  std::uint32_t before = members_ - just_issued(latest);
  // A member that issued a slot exactly `gap` cycles ago is ready at the same cycle.
  if ((latest & 1U) != 0 && who_[at(before - 1)] > tasklet) --before;
  const bool fits = members_ < gap_;
  const Int end = now_ + before + (slots - 1) * Int{fits ? size_ : size_ + 1};
  const bool through = end < until && (members_ == 0 || end < first_end());
  if (fits) {
    const auto hole = before + static_cast<std::uint32_t>(std::countr_one(taken_ >> before));
    push_back(before, hole);
    taken_ |= Word{1} << hole % word_bits;
    if (through) {
      turn(before, slots - 1);
      pass_head();
    }
  }
  if (through) {
    if (!fits && before < size_) turn(before, slots - 1);
    if (!fits && before == size_) turn(0, slots);
    issued_ >>= 1U;
    now_ = end + 1;
    return end;
  }
  const std::uint32_t place = fits ? at(before) : widen(before);
  who_[place] = static_cast<std::uint8_t>(tasklet);
  place_[tasklet] = static_cast<std::uint8_t>(place);
  last_round_[tasklet] = round_ + slots - Int{place >= head_};
  list(tasklet);
  return std::nullopt;
}

}  // namespace nestor::cnm
