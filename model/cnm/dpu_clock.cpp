#include "model/cnm/dpu_clock.h"

#include <algorithm>
#include <limits>

#include "model/cnm/pipeline_visits.h"

namespace nestor::cnm {
namespace {

constexpr std::size_t most_stretches = 1 << 16;
constexpr std::size_t most_notes = 8;  // of one run
constexpr Int never = std::numeric_limits<Int>::max();

}  // namespace

DpuClock::DpuClock(const System& system, Int tasklets)
    : system_(system),
      tasklets_(static_cast<std::uint32_t>(tasklets)),
      gap_(system.gap),
      barrier_cycles_(barrier_cycles(system, tasklets)),
      read_return_(return_cycles(system.dma.read)),
      write_return_(return_cycles(system.dma.write)),
      now_(system.gap) {}

// What stands from here on so many times more; false if that is too long.
bool DpuClock::repeat_from(std::size_t first, Int times) {
  const std::size_t length = stretches_.size() - first;
  if (times > static_cast<Int>(most_stretches / std::max<std::size_t>(1, length))) return false;
  stretches_.reserve(stretches_.size() + length * static_cast<std::size_t>(times));
  for (; times > 0; --times)
    for (std::size_t i = 0; i < length; ++i) stretches_.push_back(stretches_[first + i]);
  return true;
}

bool DpuClock::read(const FlatProgram& program, std::span<const Int> trips) {
  if (was_run_) std::swap(stretches_, before_);
  was_run_ = false;
  stretches_.clear();
  left_.fill(0);
  shared_ = 0;
  busy_.clear();
  for (const Step& step : program.steps) {
    const bool reads = step.kind == ItemKind::read, transfers = reads || step.kind == ItemKind::write;
    busy_.push_back(transfers ? busy_cycles(reads ? system_.dma.read : system_.dma.write, step.amount) : 0);
  }
  Int slots = 0;
  const auto put = [&](Ending ending, Int busy) {
    const bool transfer = ending == Ending::read || ending == Ending::write;
    stretches_.push_back({slots + Int{transfer}, busy, ending});
    slots = 0;
  };
  for (std::size_t at = 0; at < program.steps.size();) {
    const Step& step = program.steps[at];
    if (stretches_.size() > most_stretches) return false;
    switch (step.kind) {
      case ItemKind::slots:
        slots += step.amount;
        break;
      case ItemKind::read:
        put(Ending::read, busy_[at]);
        break;
      case ItemKind::write:
        put(Ending::write, busy_[at]);
        break;
      case ItemKind::barrier:
        if (shared_ != 0) return false;
        put(Ending::barrier, 0);
        break;
      case ItemKind::leave: {
        if (step.depth != 0 || shared_ != 0) return false;
        const Int before = slots;
        put(Ending::others_end, 0);
        slots = before;  // the first tasklet has them too, before what follows
        shared_ = stretches_.size();
        break;
      }
      case ItemKind::loop: {
        Int& left = left_[step.depth];  // 0 when the loop is entered, and again when it is done
        std::size_t& second = second_[step.depth];
        if (left > 0) {  // the trips to come are like the second, which ends here
          if (!repeat_from(second, left - 1)) return false;
          left = 0;
          break;
        }
        left = trips[step.loop] - 1;
        if (left == 0) break;
        second = stretches_.size();
        at = step.target;
        continue;
      }
    }
    ++at;
  }
  put(Ending::end, 0);
  if (shared_ == 0) shared_ = stretches_.size();
  return true;
}

// A transfer whose slot is at this cycle; it begins after those before it. Gives the cycle at which its
// tasklet is ready.
inline Int DpuClock::through_engine(Int slot, const Stretch& stretch) {
  const Int begin = std::max(slot, now_.free), end = begin + stretch.busy;
  now_.free = begin < now_.refresh && end <= now_.refresh ? end : after_refresh(begin, stretch.busy);
  return std::max(slot + gap_, now_.free + (stretch.ending == Ending::read ? read_return_ : write_return_));
}

// The end of a transfer that refresh holds up.
Int DpuClock::after_refresh(Int begin, Int busy) {
  const auto& [every, window] = system_.dma.refresh;
  if (begin >= now_.refresh) {
    if (now_.refresh + window <= begin) now_.refresh += ((begin - now_.refresh - window) / every + 1) * every;
    if (begin >= now_.refresh) {
      begin = now_.refresh + window;
      now_.refresh += every;
    }
  }
  Int end = begin + busy;
  while (end > now_.refresh) {
    end += window;
    now_.refresh += every;
  }
  return end;
}

void DpuClock::arrive(Int ready) {
  now_.last_arrival = std::max(now_.last_arrival, ready);
  if (++now_.waiting < tasklets_) return;
  now_.waiting = 0;
  const Int release = now_.last_arrival + barrier_cycles_;
  for (std::uint32_t i = 0; i < tasklets_; ++i) {
    ++now_.next[i];
    start(i, release);
  }
}

// On its way to the slots that come next.
void DpuClock::start(std::uint32_t tasklet, Int ready) {
  std::uint32_t& next = now_.next[tasklet];
  if (tasklet == 0 && stretches_[next].ending == Ending::others_end) ++next;
  const Stretch& stretch = stretches_[next];
  if (stretch.issues > 0)
    now_.parked.insert({turn_key(ready, tasklet), 0});
  else if (stretch.ending == Ending::barrier)
    arrive(ready);
  else
    now_.last_end = std::max(now_.last_end, ready);
}

// What a tasklet does with the last of its slots: a transfer, or it is ready to wait or to end a gap later.
void DpuClock::act(std::uint32_t tasklet, Int last_slot) {
  const Stretch& stretch = stretches_[now_.next[tasklet]];
  if (stretch.transfers()) {
    ++now_.next[tasklet];
    start(tasklet, through_engine(last_slot, stretch));
  } else if (stretch.ending == Ending::barrier) {
    arrive(last_slot + gap_);
  } else {
    now_.last_end = std::max(now_.last_end, last_slot + gap_);
  }
}

// The cycle at which the first in the pipeline issues its last slot.
Int DpuClock::first_end() const { return now_.places.empty() ? never : now_.places.first_end(); }

// Tasklets that are back before any other issue their slots and go to the engine again, one after the other:
// most read the many rows of a tile so. Up to the first that is not through before something else happens.
void DpuClock::visit_pipeline() {
  TurnQueue& parked = now_.parked;
  PipelineVisits visits(now_.places);
  if (!visits.begin(parked.front().ready())) return;
  while (!parked.empty() && now_.next[0] < next_note_) {
    const Turn turn = parked.front();
    const std::uint32_t tasklet = turn.index();
    const Stretch& stretch = stretches_[now_.next[tasklet]];
    if (!stretch.transfers()) break;
    const Int others = parked.size() > 1 ? parked.second().ready() : never;
    const auto last_slot = visits.visit(tasklet, turn.ready(), stretch.issues, others);
    if (!last_slot) break;
    const Int ready = through_engine(*last_slot, stretch);
    if (stretches_[++now_.next[tasklet]].transfers()) {
      parked.move_front({turn_key(ready, tasklet), 0});
    } else {
      parked.pop();
      start(tasklet, ready);
    }
  }
  visits.finish();
}

// The tasklet that is back before any other.
void DpuClock::come_back() {
  const Turn turn = now_.parked.front();
  now_.parked.pop();
  const Int others = now_.parked.empty() ? never : now_.parked.front().ready();
  const Int issues = stretches_[now_.next[turn.index()]].issues;
  const auto last_slot = now_.places.join(turn.index(), turn.ready(), issues, others);
  if (last_slot) act(turn.index(), *last_slot);
}

// The state at the beginning, or the last that was noted before the programs part.
void DpuClock::begin() {
  const auto parting = std::mismatch(stretches_.begin(), stretches_.end(), before_.begin(), before_.end());
  const auto alike = static_cast<std::uint32_t>(parting.first - stretches_.begin());
  while (noted_ > 0 && notes_[noted_ - 1].next[0] >= alike) --noted_;
  was_run_ = true;
  if (noted_ > 0) {
    now_ = notes_[noted_ - 1];
  } else {
    now_ = State(gap_);
    now_.refresh = system_.dma.refresh.every > 0 ? system_.dma.refresh.every : never;
    for (std::uint32_t i = 0; i < tasklets_; ++i) start(i, Int{i});
  }
  plan_note();
}

void DpuClock::plan_note() {
  next_note_ = now_.next[0] + static_cast<std::uint32_t>(stretches_.size() / most_notes) + 1;
}

void DpuClock::note() {
  if (noted_ == notes_.size())
    notes_.push_back(now_);
  else
    notes_[noted_] = now_;
  ++noted_;
  plan_note();
}

std::optional<Int> DpuClock::run(Int& budget) {
  // The first tasklet passes by the end of the others.
  const auto shared = static_cast<Int>(shared_), rest = static_cast<Int>(stretches_.size()) - shared;
  budget -= shared * Int{tasklets_} + std::max<Int>(0, rest - 1);
  if (budget < 0) return std::nullopt;
  begin();
  while (!now_.parked.empty() || !now_.places.empty()) {
    if (now_.next[0] >= next_note_) note();
    if (!now_.parked.empty() && now_.parked.front().ready() <= first_end()) visit_pipeline();
    const Int end = first_end();
    if (now_.parked.empty() || now_.parked.front().ready() > end) {
      if (now_.places.empty()) continue;
      const std::uint32_t tasklet = now_.places.first();
      now_.places.leave();
      act(tasklet, end);
      continue;
    }
    come_back();
  }
  return now_.last_end;
}

}  // namespace nestor::cnm
