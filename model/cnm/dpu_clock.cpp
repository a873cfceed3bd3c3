#include "model/cnm/dpu_clock.h"

#include <algorithm>
#include <limits>

#include "model/cnm/pipeline_visits.h"

namespace nestor::cnm {
namespace {

constexpr std::size_t most_stretches = 1 << 16;
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
  List list{.begin = stretches_.size()};
  if (!write_out(program, trips, list)) {
    stretches_.resize(list.begin);
    return false;
  }
  list.end = stretches_.size();
  if (list.shared == 0) list.shared = list.end - list.begin;
  lists_.push_back(list);
  return true;
}

bool DpuClock::write_out(const FlatProgram& program, std::span<const Int> trips, List& list) {
  left_.fill(0);
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
    if (stretches_.size() - list.begin > most_stretches) return false;
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
        if (list.shared != 0) return false;
        put(Ending::barrier, 0);
        break;
      case ItemKind::leave: {
        if (step.depth != 0 || list.shared != 0) return false;
        const Int before = slots;
        put(Ending::others_end, 0);
        slots = before;  // the first tasklet has them too, before what follows
        list.shared = stretches_.size() - list.begin;
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
  if (tasklet == 0 && list_[next].ending == Ending::others_end) ++next;
  const Stretch& stretch = list_[next];
  if (stretch.issues > 0)
    now_.parked.insert({turn_key(ready, tasklet), 0});
  else if (stretch.ending == Ending::barrier)
    arrive(ready);
  else
    now_.last_end = std::max(now_.last_end, ready);
}

// What a tasklet does with the last of its slots: a transfer, or it is ready to wait or to end a gap later.
void DpuClock::act(std::uint32_t tasklet, Int last_slot) {
  const Stretch& stretch = list_[now_.next[tasklet]];
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
    const Stretch& stretch = list_[now_.next[tasklet]];
    if (!stretch.transfers()) break;
    const Int others = parked.size() > 1 ? parked.second().ready() : never;
    const auto last_slot = visits.visit(tasklet, turn.ready(), stretch.issues, others);
    if (!last_slot) break;
    const Int ready = through_engine(*last_slot, stretch);
    if (list_[++now_.next[tasklet]].transfers()) {
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
  const Int issues = list_[now_.next[turn.index()]].issues;
  const auto last_slot = now_.places.join(turn.index(), turn.ready(), issues, others);
  if (last_slot) act(turn.index(), *last_slot);
}

// How far each list is like the one before, and where the lists end that are like it that far.
void DpuClock::compare_lists() {
  for (std::size_t i = lists_.size(); i-- > 0;) {
    List& list = lists_[i];
    if (i > 0) {
      const auto at = [this](std::size_t place) {
        return stretches_.begin() + static_cast<std::ptrdiff_t>(place);
      };
      const List& before = lists_[i - 1];
      const auto parting = std::mismatch(at(list.begin), at(list.end), at(before.begin), at(before.end));
      list.alike = static_cast<std::size_t>(parting.first - at(list.begin));
    }
    list.parts_before = i + 1;
    while (list.parts_before < lists_.size() && lists_[list.parts_before].alike >= list.alike)
      list.parts_before = lists_[list.parts_before].parts_before;
  }
}

// The state at the beginning, or the last that was noted before the list parts from the one before.
void DpuClock::begin(std::size_t list) {
  list_ = stretches_.data() + lists_[list].begin;
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

// Where those behind it part from it, the last of them first: before the first tasklet sees it, which goes on
// by at most two stretches at a time.
void DpuClock::plan_notes(std::size_t list) {
  planned_.clear();
  for (std::size_t i = list + 1; i < lists_.size() && lists_[i].alike > now_.next[0] + 2;
       i = lists_[i].parts_before)
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

// The first tasklet passes by the end of the others.
Int DpuClock::requests(std::size_t list) const {
  const auto shared = static_cast<Int>(lists_[list].shared);
  const Int rest = static_cast<Int>(lists_[list].end - lists_[list].begin) - shared;
  return shared * Int{tasklets_} + std::max<Int>(0, rest - 1);
}

void DpuClock::run(std::vector<Int>& cycles) {
  cycles.clear();
  compare_lists();
  noted_ = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    begin(i);
    cycles.push_back(run_list());
  }
  lists_.clear();
  stretches_.clear();
}

Int DpuClock::run_list() {
  while (!now_.parked.empty() || !now_.places.empty()) {
    if (now_.next[0] >= next_note_) note();
    if (!now_.parked.empty() && now_.parked.front().ready() <= first_end()) visit_pipeline();
    if (now_.next[0] >= next_note_) continue;
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
