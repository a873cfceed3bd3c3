// Visits to the pipeline of a DPU: most tasklets that come back from the engine have a slot or two to issue
// before their next transfer, and are gone before anybody else comes or goes. While the others keep to their
// places (model/cnm/pipeline_places), such a visit takes a few steps on masks.
//
// A ring is settled once every member issued its last slot just a round ago: nobody is late. In a ring of
// `gap` places a visitor then finds its place taken or not; if it is taken, the lower number is first, and
// those from there to the first empty place wait a cycle each, for good. In a longer ring no cycle is empty:
// it is known how many are before the visitor, and each of its slots holds all others up by a cycle.
#pragma once

#include <algorithm>
#include <limits>

#include "model/cnm/pipeline_places.h"

namespace nestor::cnm {

class PipelineVisits {
 public:
  /// The places are out of date until finish().
  explicit PipelineVisits(PipelinePlaces& places) : places_(places) {}

  /// For a first visit at this cycle, which has not passed. False if the ring is not settled.
  bool begin(Int ready);
  /// A tasklet that is ready at this cycle, after the visitor before it was through, has this many slots to
  /// issue, at least one. Gives the cycle of the last. Nothing, and nothing has happened, unless it is surely
  /// through before any other and before `until`.
  std::optional<Int> visit(std::uint32_t tasklet, Int ready, Int slots, Int until);
  /// From the cycle at which such a visitor is ready to the last of its slots, at most.
  Int longest(Int slots) const {
    return full_ ? static_cast<Int>(size_) - gap_ + 1 + (slots - 1) * static_cast<Int>(size_ + 1)
                 : Int{taken_ != 0} + (slots - 1) * gap_;
  }
  /// No member goes before this cycle.
  Int first_end() const { return first_end_; }
  /// Nobody is late any more at this cycle.
  Int settled() const { return settled_; }
  /// Visits of one tasklet, this many slots each time. `through` is told the cycle of the last of them and
  /// says when the tasklet is ready again, more than the gap later. At most `most` visits, and none that may
  /// not be over before a member goes. Gives how many there were and the cycle at which the tasklet is ready
  /// then.
  template <typename Through>
  Int visit_alone(std::uint32_t tasklet, Int& ready, Int slots, Int most, const Through& through);
  /// A visit at this cycle that is surely through before any other; only what it leaves behind counts, and in
  /// a ring without an empty place, or without members, that is nothing.
  void pass(std::uint32_t tasklet, Int ready);
  bool leaves_traces() const { return !full_ && taken_ != 0; }
  /// Nobody is late any more at this cycle, which has not passed; so many slots of visitors were issued since
  /// the last visit.
  void settle(Int at, Int slots);
  /// False if there was no visit, and nothing has happened.
  bool finish();

 private:
  using Word = PipelinePlaces::Word;
  static constexpr Int most_cycles = Int{1} << 20;  // that `inverse_` divides without error
  static constexpr std::uint32_t inverse_bits = 32;

  static Word bit(Word place) { return Word{1} << place; }
  Word next_to(Word place) const { return place + 1 == size_ ? 0 : place + 1; }
  void pass_place();
  void pass_places(Int cycles);
  void make_room(Word place, bool second);
  bool take_turn(std::uint32_t tasklet);
  void push_back(Word place);
  std::optional<Int> visit_full(std::uint32_t tasklet, Int ready, Int slots, Int limit, Word place);
  std::optional<Int> visit_partly(std::uint32_t tasklet, Int ready, Int slots, Int limit, Word place);

  PipelinePlaces& places_;
  bool full_ = false;  // no place of the ring is empty
  bool visited_ = false, settled_now_ = false;
  Word size_ = 0, inverse_ = 0;  // of the ring
  Int gap_ = 0;
  Int now_ = 0, round_ = 0;  // of the place whose turn is next
  Word head_ = 0;
  Int settled_ = 0;    // from this cycle on
  Int first_end_ = 0;  // no member goes before
  Word taken_ = 0;     // by place, if some are empty
  Word issued_ = 0;    // in the last `gap` cycles, by place
};

inline bool PipelineVisits::begin(Int ready) {
  places_.advance(ready);
  const std::uint32_t gap = places_.gap_;
  const Word all = bit(gap) - 1;
  full_ = places_.members_ >= gap;
  if (places_.issued_ >> (PipelinePlaces::word_bits - gap) != (full_ ? all : places_.taken_)) return false;
  visited_ = settled_now_ = false;
  gap_ = gap;
  size_ = places_.size_;
  inverse_ = bit(inverse_bits) / size_ + 1;
  now_ = settled_ = ready;
  head_ = places_.head_;
  round_ = places_.round_;
  first_end_ = places_.empty() ? std::numeric_limits<Int>::max() : places_.first_end();
  if (!full_) taken_ = (places_.taken_ << head_ | places_.taken_ >> (size_ - head_)) & all;
  return true;
}

inline void PipelineVisits::pass_place() {
  head_ = next_to(head_);
  round_ += Int{head_ == 0};
}

inline std::optional<Int> PipelineVisits::visit(std::uint32_t tasklet, Int ready, Int slots, Int until) {
  const Int cycles = ready - now_, limit = std::min(until, first_end_);
  if (ready < settled_ || cycles >= most_cycles) return std::nullopt;
  const Word to = head_ + static_cast<Word>(cycles);
  const Word rounds = to * inverse_ >> inverse_bits, place = to - rounds * size_;
  const auto end = full_ ? visit_full(tasklet, ready, slots, limit, place)
                         : visit_partly(tasklet, ready, slots, limit, place);
  if (!end) return std::nullopt;
  round_ += static_cast<Int>(rounds) + slots - 1;
  visited_ = true;
  settled_now_ = false;
  now_ = *end + 1;
  return end;
}

inline std::optional<Int> PipelineVisits::visit_full(std::uint32_t tasklet, Int ready, Int slots, Int limit,
                                                     Word place) {
  Word before = size_ - static_cast<Word>(gap_);
  Word last = place + before;  // it issued just `gap` cycles ago, so it is ready at the same cycle
  if (last >= size_) last -= size_;
  before += Word{places_.who_[last] < tasklet};
  const Int end = ready + static_cast<Int>(before) + (slots - 1) * static_cast<Int>(size_ + 1);
  if (end >= limit) return std::nullopt;
  head_ = place + before;
  if (head_ >= size_) {
    head_ -= size_;
    ++round_;
  }
  first_end_ += slots;
  settled_ = end + 1 + gap_;
  return end;
}

inline std::optional<Int> PipelineVisits::visit_partly(std::uint32_t tasklet, Int ready, Int slots, Int limit,
                                                       Word place) {
  const bool taken = (taken_ & bit(place)) != 0;
  const bool second = taken && places_.who_[place] < tasklet;
  const Int end = ready + Int{second} + (slots - 1) * gap_;
  if (end >= limit) return std::nullopt;
  issued_ = taken_;
  head_ = place;
  if (taken) make_room(place, second);
  if (second) pass_place();
  if (slots > 1) issued_ = taken_;
  pass_place();
  settled_ = ready + gap_;
  return end;
}

// The member at a place, and those behind it up to the first empty place, wait a cycle each.
inline void PipelineVisits::push_back(Word place) {
  PipelinePlaces& places = places_;
  const Word size = size_, others = taken_ ^ bit(place);
  std::uint8_t tasklet = places.who_[place];
  for (bool moved = true; moved;) {
    place = place + 1 == size ? 0 : place + 1;
    moved = (others & bit(place)) != 0;
    const std::uint8_t here = tasklet;
    tasklet = places.who_[place];
    places.who_[place] = here;
    places.place_[here] = static_cast<std::uint8_t>(place);
    if (place == 0) ++places.last_round_[here];
  }
  taken_ = others | bit(place);
}

// So many places go by, whose members issue.
inline void PipelineVisits::pass_places(Int cycles) {
  const Word to = head_ + static_cast<Word>(cycles);
  const Word rounds = to < Word{most_cycles} ? to * inverse_ >> inverse_bits : to / size_;
  head_ = to - rounds * size_;
  round_ += static_cast<Int>(rounds);
}

// A visitor takes this place, or the one behind it if it is second.
inline void PipelineVisits::make_room(Word place, bool second) {
  const Word from = second ? next_to(place) : place;
  if ((taken_ & bit(from)) != 0) push_back(from);
}

// Of a tasklet that is ready at the place at the head. Whether it is second there.
inline bool PipelineVisits::take_turn(std::uint32_t tasklet) {
  if (full_) {
    const Word last = head_ + size_ - static_cast<Word>(gap_);  // it issued just `gap` cycles ago
    return places_.who_[last < size_ ? last : last - size_] < tasklet;
  }
  if ((taken_ & bit(head_)) == 0) return false;
  const bool second = places_.who_[head_] < tasklet;
  make_room(head_, second);
  return second;
}

inline void PipelineVisits::pass(std::uint32_t tasklet, Int ready) {
  settle(ready, 0);
  take_turn(tasklet);
}

// Members issue in all cycles that are not visitors'; in a ring with empty places their turn passes all the
// same.
inline void PipelineVisits::settle(Int at, Int slots) {
  pass_places(at - now_ - (full_ ? slots : 0));
  if (full_) first_end_ += slots;
  now_ = settled_ = at;
  visited_ = settled_now_ = true;
}

template <typename Through>
Int PipelineVisits::visit_alone(std::uint32_t tasklet, Int& ready, Int slots, Int most,
                                const Through& through) {
  if (ready < settled_) return 0;
  const Int most_cycles_of_one = longest(slots) + 1 + gap_;
  const Int least = full_ ? longest(slots) - 1 : (slots - 1) * gap_;
  Int visits = 0, last_slot = 0;
  for (; visits < most && ready + most_cycles_of_one <= first_end_; ++visits) {
    settle(ready, visits > 0 ? slots : 0);
    last_slot = ready + least + Int{take_turn(tasklet)};
    ready = through(last_slot);
  }
  if (visits > 0) settle(last_slot + 1 + gap_, slots);
  return visits;
}

inline bool PipelineVisits::finish() {
  if (!visited_) return false;
  const Word all = bit(places_.gap_) - 1;
  const auto from_head = [this, all](Word by_place) {
    return (by_place >> head_ | by_place << (size_ - head_)) & all;
  };
  places_.now_ = now_;
  places_.round_ = round_;
  places_.head_ = static_cast<std::uint32_t>(head_);
  if (!full_) places_.taken_ = from_head(taken_);
  // The last cycle was the visitor's, or nobody is late.
  places_.issued_ = full_ ? all : from_head(settled_now_ ? taken_ : issued_);
  if (!settled_now_) places_.issued_ &= all >> 1U;
  places_.issued_ <<= PipelinePlaces::word_bits - places_.gap_;
  return true;
}

}  // namespace nestor::cnm
