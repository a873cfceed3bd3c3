// The pipeline of a DPU for model/cnm/dpu_clock: when does which tasklet have all its slots?
//
// Tasklets go round. A tasklet that issued a slot may issue the next one `gap` cycles later, so the pipeline
// is a ring of places, one a cycle: `gap` of them, some empty, or one for each tasklet if there are more than
// that. A tasklet keeps its place from round to round; its last slot is known by round and place, and rounds
// in between take no time to skip. Only two things move a place:
// - One that comes in is next after all that are ready before it. What is already ready stands at the head
//   of the ring without a break, because a cycle is never left empty while somebody is ready; how many those
//   are follows from how many issued a slot in the last gap - 1 cycles and are not ready yet. Those behind it
//   each wait a cycle, up to the first empty place; if there is none the ring grows.
// - One that goes leaves an empty place, or in a ring longer than `gap` none.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "model/cnm/turns.h"

namespace nestor::cnm {

class PipelinePlaces {
 public:
  /// Of a ring; masks of places and cycles are words.
  static constexpr Int most = 48;

  /// At most `most`.
  explicit PipelinePlaces(Int gap) : gap_(static_cast<std::uint32_t>(gap)), size_(gap_) {}

  void clear() {
    size_ = gap_;
    members_ = head_ = first_ = 0;
    round_ = now_ = 0;
    taken_ = issued_ = 0;
  }
  bool empty() const { return members_ == 0; }
  /// The next of all to issue its last slot, and the cycle of it. Not if empty.
  std::uint32_t first() const { return order_[first_]; }
  Int first_end() const {
    const std::uint32_t tasklet = order_[first_];
    return now_ + (last_round_[tasklet] - round_) * size_ + place_[tasklet] - head_;
  }
  /// That one leaves after its last slot.
  void leave();
  /// A tasklet that is ready at this cycle, which has not passed, has this many slots to issue, at least one.
  /// Of those ready at one cycle the one with the lower number is first; they must come in that order. If it
  /// is through before any other, and before `until`, it has left at once and the cycle of its last slot is
  /// given; otherwise it is among the others.
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
  // The head comes to the place `from_head` places on, and `rounds` whole rounds pass before.
  void turn(std::uint32_t from_head, Int rounds);
  void pass_head();
  void advance(Int to);
  void push_back(std::uint32_t begin, std::uint32_t end);
  std::uint32_t widen(std::uint32_t from_head);
  void list(std::uint32_t tasklet);
  std::uint32_t just_issued(Word latest) const;

  std::uint32_t gap_;
  std::uint32_t size_;  // of the ring
  std::uint32_t members_ = 0;
  std::uint32_t head_ = 0;  // the place whose turn is next, at cycle now_
  Int round_ = 0, now_ = 0;
  Word taken_ = 0;   // places from the head on that are not empty
  Word issued_ = 0;  // of the cycles before now_, the last one highest: a slot of one that is still here
  std::array<std::uint8_t, word_bits> who_{};    // by place
  std::array<std::uint8_t, word_bits> place_{};  // by tasklet
  std::array<Int, word_bits> last_round_{};      // by tasklet: the round of its last slot
  std::array<std::uint8_t, word_bits> order_{};  // tasklets by round and place of their last slots,
  std::uint32_t first_ = 0;                      // from here on and round to the beginning
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

// The place at the head is left empty.
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

// Those at places [begin, end), counted from the head, wait a cycle each; the place `end` is empty.
inline void PipelinePlaces::push_back(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = end; i > begin; --i) {
    const std::uint32_t to = at(i);
    const std::uint8_t tasklet = who_[at(i - 1)];
    who_[to] = tasklet;
    place_[tasklet] = static_cast<std::uint8_t>(to);
    last_round_[tasklet] += Int{to == 0};
  }
}

// A place more, before the one that stands there counted from the head. Gives its number.
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

// How many of those that issued in the last `gap` cycles did so after the first of them. Most often nobody is
// late, and it need not be counted.
inline std::uint32_t PipelinePlaces::just_issued(Word latest) const {
  if (latest == taken_) return members_ - static_cast<std::uint32_t>(latest & 1U);
  if (latest == (Word{1} << gap_) - 1) return gap_ - 1;
  return static_cast<std::uint32_t>(std::popcount(latest >> 1U));
}

inline std::optional<Int> PipelinePlaces::join(std::uint32_t tasklet, Int ready, Int slots, Int until) {
  advance(ready);
  const Word latest = issued_ >> (word_bits - gap_);  // the last `gap` cycles
  std::uint32_t before = members_ - just_issued(latest);
  // One that issued a slot just `gap` cycles ago is ready at the same cycle.
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
