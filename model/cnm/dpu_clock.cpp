#include "model/cnm/dpu_clock.h"

#include <algorithm>
#include <limits>

#include "model/cnm/pipeline_visits.h"

namespace nestor::cnm {

DpuClock::DpuClock(const System& system, Int tasklets)
    : system_(system),
      tasklets_(static_cast<std::uint32_t>(tasklets)),
      gap_(system.gap),
      barrier_cycles_(barrier_cycles(system, tasklets)),
      read_return_(return_cycles(system.dma.read)),
      write_return_(return_cycles(system.dma.write)),
      lists_(system),
      now_(system.gap) {}

// Returns the end of a transfer, including a delay by refresh.
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
    pass_request(i);
    start(i, release);
  }
}

// Starts the tasklet's next series of slots.
void DpuClock::start(std::uint32_t tasklet, Int ready) {
  if (tasklet == 0 && series_of(tasklet).ending == Ending::others_end) pass_request(tasklet);
  const Series& series = series_of(tasklet);
  if (series.issues > 0)
    now_.parked.insert({turn_key(ready, tasklet), 0});
  else if (series.ending == Ending::barrier)
    arrive(ready);
  else
    now_.last_end = std::max(now_.last_end, ready);
}

// Processes the last slot of a tasklet before a request. The slot starts a transfer, or the tasklet reaches a
// barrier or its end one gap later.
void DpuClock::act(std::uint32_t tasklet, Int last_slot) {
  const Series& series = series_of(tasklet);
  if (series.transfers()) {
    pass_request(tasklet);
    start(tasklet, through_engine(last_slot, series));
  } else if (series.ending == Ending::barrier) {
    arrive(last_slot + gap_);
  } else {
    now_.last_end = std::max(now_.last_end, last_slot + gap_);
  }
}

// Returns the cycle at which the second returning tasklet is ready.
inline Int DpuClock::second_back() const {
  return now_.parked.size() > 1 ? now_.parked.second().ready() : never;
}

// True if the first returning tasklet may finish its visit before another tasklet returns and before a member
// leaves the pipeline.
inline bool DpuClock::is_brief(Int first_end) const {
  const Turn& turn = now_.parked.front();
  const Series& series = series_of(turn.index());
  return series.transfers() && turn.ready() + (series.issues - 1) * gap_ < std::min(first_end, second_back());
}

// Advances the first returning tasklet past its transfer. It is ready again at `ready`.
void DpuClock::go_on(std::uint32_t tasklet, Int ready) {
  pass_request(tasklet);
  if (series_of(tasklet).transfers()) return now_.parked.move_front({turn_key(ready, tasklet), 0});
  now_.parked.pop();
  start(tasklet, ready);
}

// Lets tasklets that return before any other event issue their slots and use the engine again, one after the
// other. Most programs read the rows of a tile this way. Requires is_brief for the first tasklet, and stops
// at the first tasklet that does not finish before another event. Returns false, without effect, if no visit
// was made.
bool DpuClock::visit_pipeline() {
  TurnQueue& parked = now_.parked;
  PipelineVisits visits(now_.places);
  if (!visits.begin(parked.front().ready())) return false;
  do {
    if (leap(visits)) continue;
    const Turn turn = parked.front();
    const Series& series = series_of(turn.index());
    const auto last_slot = visits.visit(turn.index(), turn.ready(), series.issues, second_back());
    if (!last_slot) break;
    go_on(turn.index(), through_engine(*last_slot, series));
  } while (!parked.empty() && now_.next[0] < next_note_ && is_brief(visits.first_end()));
  return visits.finish();
}

// Processes the return of the first returning tasklet.
void DpuClock::come_back() {
  const Turn turn = now_.parked.front();
  now_.parked.pop();
  const Int others = now_.parked.empty() ? never : now_.parked.front().ready();
  const Int issues = series_of(turn.index()).issues;
  const auto last_slot = now_.places.join(turn.index(), turn.ready(), issues, others);
  if (last_slot) act(turn.index(), *last_slot);
}

// Restores the initial state, or the last note before the list diverges from its predecessor.
void DpuClock::begin(std::size_t list) {
  list_ = lists_.first_of(list);
  while (noted_ > 0 && notes_[noted_ - 1].next[0] >= lists_[list].alike) --noted_;
  if (noted_ > 0) {
    now_ = notes_[noted_ - 1];
  } else {
    now_ = State(gap_);
    now_.refresh = system_.dma.refresh.every > 0 ? system_.dma.refresh.every : never;
    for (std::uint32_t i = 0; i < tasklets_; ++i) start(i, Int{i});
  }
  plan_notes(list);
}

// Plans notes at the requests where later lists diverge from this one, the last request first. Each note is
// two requests early, because the first tasklet advances by at most two requests at a time.
void DpuClock::plan_notes(std::size_t list) {
  planned_.clear();
  for (std::size_t i = list + 1; i < lists_.size() && lists_[i].alike > now_.next[0] + 2;
       i = lists_[i].next_smaller)
    planned_.push_back(static_cast<std::uint32_t>(lists_[i].alike - 2));
  next_note_ = planned_.empty() ? std::numeric_limits<std::uint32_t>::max() : planned_.back();
}

void DpuClock::note() {
  if (noted_ == notes_.size())
    notes_.push_back(now_);
  else
    notes_[noted_] = now_;
  ++noted_;
  while (!planned_.empty() && planned_.back() <= now_.next[0]) planned_.pop_back();
  next_note_ = planned_.empty() ? std::numeric_limits<std::uint32_t>::max() : planned_.back();
}

void DpuClock::run(std::vector<Int>& cycles) {
  cycles.clear();
  lists_.compare();
  noted_ = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    begin(i);
    cycles.push_back(run_list());
  }
  lists_.clear();
}

Int DpuClock::run_list() {
  while (!now_.parked.empty() || !now_.places.empty()) {
    if (now_.next[0] >= next_note_) note();
    const Int end = first_end();
    if (now_.parked.empty() || now_.parked.front().ready() > end) {
      const std::uint32_t tasklet = now_.places.first();
      now_.places.leave();
      act(tasklet, end);
    } else if (!is_brief(end) || !visit_pipeline()) {
      come_back();
    }
  }
  return now_.last_end;
}

}  // namespace nestor::cnm
