// SPDX-License-Identifier: Apache-2.0
#include "heuristics/cim/nest_climber.h"

namespace nestor::cim {
namespace {

constexpr int least_changes = 4;       // changes of a shake; some shakes have 2 or 4 times as many
constexpr int draws_in_a_shake = 256;  // most random changes are invalid

}  // namespace

void NestClimber::start(const Mapping* best) {
  if (best != nullptr)
    mapping_ = *best;
  else
    moves_.put_all_at_home(mapping_);
  cost_ = moves_.cost_of(mapping_);
  if (cost_ == no_cost) shakes_ = most_shakes + 1;
  trial_ = mapping_;
}

std::uint64_t NestClimber::climb(std::uint64_t count, Slice& slice, Mapping& best, Cost& cost) {
  const auto keep = [&] {
    if (cost_ >= cost) return;
    best = mapping_;
    cost = cost_;
  };
  if (!ended() && draws_left_ == 0) keep();
  std::uint64_t looked = 0;
  while (looked < count && !ended() && !slice.over()) {
    slice.charge(1);
    if (draws_left_ > 0) {
      slice.charge(moves_.units_of_cost(trial_));
      draw();
      if (draws_left_ == 0) keep();  // before the slice can end, so that the result does not depend on slices
      continue;
    }
    if (next_ == moves_.change_count(mapping_)) {
      if (++shakes_ > most_shakes) break;
      begin_shake(best, cost);
      continue;
    }
    if (!moves_.change(next_++, trial_)) continue;
    ++looked;
    slice.charge(moves_.units_of_cost(trial_));
    const Cost found = moves_.cost_of(trial_);
    if (found >= cost_) {
      trial_ = mapping_;
      continue;
    }
    mapping_ = trial_;
    cost_ = found;
    next_ = 0;
    keep();
  }
  return looked;
}

// Starts a shake: a few random changes to the best mapping so far.
void NestClimber::begin_shake(const Mapping& best, Cost cost) {
  mapping_ = best;
  cost_ = cost;
  next_ = 0;
  trial_ = mapping_;
  changes_left_ = least_changes * (1 << shakes_ % 3);
  draws_left_ = draws_in_a_shake;
}

void NestClimber::draw() {
  --draws_left_;
  if (!moves_.change(static_cast<std::size_t>(random_.below(moves_.change_count(mapping_))), trial_)) return;
  const Cost found = moves_.cost_of(trial_);
  if (found < no_cost) {
    mapping_ = trial_;
    cost_ = found;
    if (--changes_left_ == 0) draws_left_ = 0;
  } else {
    trial_ = mapping_;
  }
}

}  // namespace nestor::cim
