// Visits to the pipeline of a DPU. Most tasklets that return from the engine have one or two slots to issue
// before their next transfer, and leave before any other tasklet joins or leaves. While the members keep
// their places (model/cnm/pipeline_places), such a visit takes a few operations on masks.
//
// A ring is steady if every member issued its last slot exactly one round ago, so that no tasklet is late. In
// a ring of `gap` places, a visitor finds its place empty or taken. If it is taken, the tasklet with the
// lower number is first. The members from this place to the first empty place are then permanently delayed by
// one cycle each. In a longer ring no cycle is empty. The number of members before the visitor is known, and
// each slot of the visitor delays all members by one cycle.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "model/cnm/pipeline_places.h"

namespace nestor::cnm {

class PipelineVisits {
 public:
  /// `places` is out of date until finish().
  explicit PipelineVisits(PipelinePlaces& places) : places_(places) {}

  /// Prepares a first visit at this cycle, which is not in the past. Returns false if the ring is not steady.
  bool begin(Int ready);
  /// Lets a tasklet that is ready at this cycle, after the last visitor has finished, issue at least one
  /// slot. Returns the cycle of its last slot. Returns nothing, without effect, unless the tasklet certainly
  /// finishes before all others and before `until`.
  std::optional<Int> visit(std::uint32_t tasklet, Int ready, Int slots, Int until);
  /// Returns the maximum number of cycles from the cycle at which a visitor is ready to its last slot.
  Int longest(Int slots) const {
    return full_ ? static_cast<Int>(size_) - gap_ + 1 + (slots - 1) * static_cast<Int>(size_ + 1)
                 : Int{taken_ != 0} + (slots - 1) * gap_;
  }
  /// Returns a cycle before which no member leaves.
  Int first_end() const { return first_end_; }
  /// Returns the cycle from which on no tasklet is late.
  Int steady_from() const { return steady_from_; }
  /// Runs visits of one tasklet, each with `slots` slots. `engine.through(cycle)` processes the transfer
  /// after a last slot at this cycle, and returns the cycle at which the tasklet is ready again, more than
  /// `gap` cycles later. After this call, and for last slots up to `engine.calm_until()`, the tasklet is
  /// ready exactly `engine.pause` cycles after its last slot. Of such visits, only the last one is reported,
  /// to `engine.after(cycle)`. Makes at most `most` visits, and none that may still run when a member leaves.
  /// Returns the number of visits and sets `ready` to the cycle at which the tasklet is ready again.
  template <typename Engine>
  Int visit_alone(std::uint32_t tasklet, Int& ready, Int slots, Int most, Engine& engine);
  /// Applies the effect that a visit at this cycle has on the members. The visit must certainly finish before
  /// all others. It has no effect in a ring without an empty place or without members.
  void pass(std::uint32_t tasklet, Int ready);
  /// Applies the effect of pass() for several tasklets in turn, `tours` times. The first visit is at cycle
  /// `ready`, and visits are `apart` cycles apart.
  void pass_tours(std::span<const std::uint8_t> tasklets, Int tours, Int ready, Int apart);
  bool leaves_traces() const { return !full_ && taken_ != 0; }
  /// Skips to a cycle, not in the past, at which no tasklet is late. Visitors have issued `slots` slots since
  /// the last visit.
  void skip_to_steady(Int at, Int slots);
  /// Updates the places. Returns false, without effect, if there was no visit.
  bool finish();

 private:
  using Word = PipelinePlaces::Word;
  // Range in which division by multiplying with `inverse_` is exact.
  static constexpr Int most_cycles = Int{1} << 20;
  static constexpr std::uint32_t inverse_bits = 32;

  static Word bit(Word place) { return Word{1} << place; }
  Word next_to(Word place) const { return place + 1 == size_ ? 0 : place + 1; }
  void pass_place();
  void pass_places(Int cycles);
  void make_room(Word place, bool second);
  bool take_turn(std::uint32_t tasklet);
  Int take_turns(std::uint32_t tasklet, Int turns, Int apart, Int slots);
  void push_back(Word place);
  void move_up(Word begin, Word end);
  std::optional<Int> visit_full(std::uint32_t tasklet, Int ready, Int slots, Int limit, Word place);
  std::optional<Int> visit_partly(std::uint32_t tasklet, Int ready, Int slots, Int limit, Word place);

  PipelinePlaces& places_;
  bool full_ = false;  // true if no place of the ring is empty
  bool visited_ = false, steady_now_ = false;
  bool moved_ = false;           // true if places_.place_ of some members is out of date
  Word size_ = 0, inverse_ = 0;  // size of the ring and its inverse
  Int gap_ = 0;
  Int now_ = 0, round_ = 0;  // cycle and round of the next place
  Word head_ = 0;
  Int steady_from_ = 0;  // no tasklet is late from this cycle on
  Int first_end_ = 0;    // no member leaves before this cycle
  Word taken_ = 0;       // mask of taken places, if some are empty
  Word issued_ = 0;      // mask of the places that issued in the last `gap` cycles
};

inline bool PipelineVisits::begin(Int ready) {
  places_.advance(ready);
  const std::uint32_t gap = places_.gap_;
  const Word all = bit(gap) - 1;
  full_ = places_.members_ >= gap;
  if (places_.issued_ >> (PipelinePlaces::word_bits - gap) != (full_ ? all : places_.taken_)) return false;
  visited_ = steady_now_ = moved_ = false;
  gap_ = gap;
  size_ = places_.size_;
  inverse_ = bit(inverse_bits) / size_ + 1;
  now_ = steady_from_ = ready;
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
  if (ready < steady_from_ || cycles >= most_cycles) return std::nullopt;
  const Word to = head_ + static_cast<Word>(cycles);
  const Word rounds = to * inverse_ >> inverse_bits, place = to - rounds * size_;
  const auto end = full_ ? visit_full(tasklet, ready, slots, limit, place)
                         : visit_partly(tasklet, ready, slots, limit, place);
  if (!end) return std::nullopt;
  round_ += static_cast<Int>(rounds) + slots - 1;
  visited_ = true;
  steady_now_ = false;
  now_ = *end + 1;
  return end;
}

inline std::optional<Int> PipelineVisits::visit_full(std::uint32_t tasklet, Int ready, Int slots, Int limit,
                                                     Word place) {
  Word before = size_ - static_cast<Word>(gap_);
  Word last = place + before;  // its member issued exactly `gap` cycles ago and is ready at the same cycle
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
  steady_from_ = end + 1 + gap_;
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
  steady_from_ = ready + gap_;
  return end;
}

// Moves the tasklets at places [begin, end) to the next place; the last of them moves to an empty place.
inline void PipelineVisits::move_up(Word begin, Word end) {
  auto& who = places_.who_;
  std::uint8_t tasklet = who[begin];
  for (Word place = begin; place < end; ++place) {
    const std::uint8_t next = who[place + 1];
    who[place + 1] = tasklet;
    tasklet = next;
  }
}

// Delays the member at a place, and the members behind it up to the first empty place, by one cycle each.
inline void PipelineVisits::push_back(Word place) {
  const Word end = place + static_cast<Word>(std::countr_one(taken_ >> place));
  const bool past_end = end == size_;
  const Word hole = past_end ? static_cast<Word>(std::countr_one(taken_)) : end;
  if (past_end) {
    move_up(0, hole);
    const std::uint8_t last = places_.who_[size_ - 1];
    places_.who_[0] = last;
    ++places_.last_round_[last];
  }
  move_up(place, past_end ? size_ - 1 : end);
  taken_ ^= bit(place) | bit(hole);
  moved_ = true;
}

// Advances the head by this number of places, whose members issue.
inline void PipelineVisits::pass_places(Int cycles) {
  const Word to = head_ + static_cast<Word>(cycles);
  const Word rounds = to < Word{most_cycles} ? to * inverse_ >> inverse_bits : to / size_;
  head_ = to - rounds * size_;
  round_ += static_cast<Int>(rounds);
}

// Frees this place for a visitor, or the place after it if the visitor is second.
inline void PipelineVisits::make_room(Word place, bool second) {
  const Word from = second ? next_to(place) : place;
  if ((taken_ & bit(from)) != 0) push_back(from);
}

// Runs a turn of a tasklet that is ready at the head's place. Returns true if the tasklet is second there.
inline bool PipelineVisits::take_turn(std::uint32_t tasklet) {
  if (full_) {
    const Word last = head_ + size_ - static_cast<Word>(gap_);  // issued exactly `gap` cycles ago
    return places_.who_[last < size_ ? last : last - size_] < tasklet;
  }
  if ((taken_ & bit(head_)) == 0) return false;
  const bool second = places_.who_[head_] < tasklet;
  make_room(head_, second);
  return second;
}

// Runs turns of a tasklet that is ready at the head's place, and again `apart` cycles after each turn, plus
// one cycle if it was second. `slots` of these cycles are its own slots. Returns the number of turns in which
// it was second.
inline Int PipelineVisits::take_turns(std::uint32_t tasklet, Int turns, Int apart, Int slots) {
  if (!full_ && taken_ == 0) return 0;
  const Word size = size_, step = static_cast<Word>(apart - (full_ ? slots : 0)) % size;
  const auto& who = places_.who_;
  Word place = head_ + (full_ ? size - static_cast<Word>(gap_) : 0);  // place of its competitor
  if (place >= size) place -= size;
  Int seconds = 0;
  for (; turns > 0; --turns) {
    Word second = 0;
    if (full_ || (taken_ & bit(place)) != 0) {
      second = Word{who[place] < tasklet};
      if (!full_) make_room(place, second != 0);
    }
    seconds += static_cast<Int>(second);
    place += step + second;
    if (place >= size) place -= size;
  }
  return seconds;
}

// A delayed member waits for the visitor; otherwise the ring continues as before.
inline void PipelineVisits::pass(std::uint32_t tasklet, Int ready) {
  pass_places(ready - now_);
  now_ = ready;
  take_turn(tasklet);
}

inline void PipelineVisits::pass_tours(std::span<const std::uint8_t> tasklets, Int tours, Int ready,
                                       Int apart) {
  pass_places(ready - now_);
  const Word size = size_, step = static_cast<Word>(apart) % size;
  Word place = head_;
  for (Int tour = 0; tour < tours; ++tour)
    for (const std::uint8_t tasklet : tasklets) {
      if ((taken_ & bit(place)) != 0) make_room(place, places_.who_[place] < tasklet);
      place += step;
      if (place >= size) place -= size;
    }
  const Int to_last = (tours * static_cast<Int>(tasklets.size()) - 1) * apart;
  pass_places(to_last);
  now_ = ready + to_last;
}

// Members issue in all cycles that visitors do not use. In a ring with empty places, time also passes in the
// visitors' cycles.
inline void PipelineVisits::skip_to_steady(Int at, Int slots) {
  pass_places(at - now_ - (full_ ? slots : 0));
  if (full_) first_end_ += slots;
  now_ = steady_from_ = at;
  visited_ = steady_now_ = true;
}

// Undisturbed visits follow one another at a known distance, plus one cycle whenever the tasklet is second at
// its place. Its next place depends on nothing else. Therefore, as many visits are combined as would finish
// in time even if the tasklet were second each time.
template <typename Engine>
Int PipelineVisits::visit_alone(std::uint32_t tasklet, Int& ready, Int slots, Int most, Engine& engine) {
  if (ready < steady_from_) return 0;
  const Int at_most = longest(slots);
  const Int least = full_ ? at_most - 1 : (slots - 1) * gap_, apart = least + engine.pause;
  Int visits = 0, last_slot = 0, issued = 0;  // issued: number of slots since the ring was steady
  while (visits < most && ready + at_most + 1 + gap_ <= first_end_) {
    skip_to_steady(ready, issued);
    last_slot = ready + least + Int{take_turn(tasklet)};
    ready = engine.through(last_slot);
    ++visits;
    issued = slots;
    const Int spare = std::min(first_end_ - 1 - gap_, engine.calm_until()) - at_most - ready;
    if (visits == most || spare < 0) continue;
    const Int more = std::min(most - visits, spare / (at_most + engine.pause) + 1);
    skip_to_steady(ready, issued);
    ready += more * apart + take_turns(tasklet, more, apart, slots);
    last_slot = ready - engine.pause;
    engine.after(last_slot);
    visits += more;
    issued = more * slots;
  }
  if (visits > 0) skip_to_steady(last_slot + 1 + gap_, issued);
  return visits;
}

inline bool PipelineVisits::finish() {
  if (!visited_) return false;
  for (Word left = moved_ ? taken_ : 0; left != 0; left &= left - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(left));
    places_.place_[places_.who_[place]] = static_cast<std::uint8_t>(place);
  }
  const Word all = bit(places_.gap_) - 1;
  const auto from_head = [this, all](Word by_place) {
    return (by_place >> head_ | by_place << (size_ - head_)) & all;
  };
  places_.now_ = now_;
  places_.round_ = round_;
  places_.head_ = static_cast<std::uint32_t>(head_);
  if (!full_) places_.taken_ = from_head(taken_);
  // The last cycle belonged to the visitor, or no tasklet is late.
  places_.issued_ = full_ ? all : from_head(steady_now_ ? taken_ : issued_);
  if (!steady_now_) places_.issued_ &= all >> 1U;
  places_.issued_ <<= PipelinePlaces::word_bits - places_.gap_;
  return true;
}

}  // namespace nestor::cnm
