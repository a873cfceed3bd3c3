// Shortcuts of the DPU clock (model/cnm/dpu_clock) for repeated requests. Most requests equal their
// predecessors, and two patterns occur again and again:
// - One tasklet reads and all others have slots to issue. The tasklet finds the engine free each time, so it
//   is ready again a constant number of cycles after its last slot, up to the next refresh.
// - So many tasklets read that the engine never waits. Each transfer ends so long before the engine reaches
//   the same tasklet again that delays in the pipeline do not matter. Transfers then follow one another
//   without a break, delayed by refresh alone, and no tasklet overtakes another.
#include <algorithm>

#include "model/cnm/dpu_clock.h"
#include "model/cnm/pipeline_visits.h"

namespace nestor::cnm {

bool DpuClock::leap(PipelineVisits& visits) {
  const bool alone = now_.parked.size() < 2;
  return alone ? leap_alone(visits) : leap_together(visits);
}

// Runs consecutive transfers that keep the engine busy for `work` cycles. The engine must become free by
// the start of the next refresh.
inline void DpuClock::keep_engine_busy(Int work) {
  const Int before_refresh = now_.refresh - now_.free;
  now_.free += work;
  if (work <= before_refresh) return;
  const auto& [every, window] = system_.dma.refresh;
  const Int windows = (work - before_refresh - 1) / (every - window) + 1;
  now_.free += windows * window;
  now_.refresh += windows * every;
}

// Returns the number of remaining equal requests of the tasklet; for the first tasklet, at most up to the
// next note.
Int DpuClock::requests_alike(std::uint32_t tasklet) const {
  std::uint32_t until = series_of(tasklet).end;
  if (tasklet == 0) until = std::min(until, next_note_);
  return Int{until} - Int{now_.next[tasklet]};
}

// Engine for a single tasklet whose next slot never comes before the engine is free again.
struct DpuClock::AloneAtEngine {
  DpuClock& clock;
  const Series& series;
  Int pause;
  Int through(Int slot) { return clock.through_engine(slot, series); }
  // A transfer whose slot is issued up to this cycle begins and ends before the next refresh.
  Int calm_until() const { return clock.now_.refresh - std::max<Int>(1, series.busy); }
  void after(Int slot) { clock.now_.free = slot + series.busy; }
};

bool DpuClock::leap_alone(PipelineVisits& visits) {
  const Turn turn = now_.parked.front();
  const std::uint32_t tasklet = turn.index();
  const Series& series = series_of(tasklet);
  const Int requests = requests_alike(tasklet);
  Int ready = turn.ready();
  if (requests < 2 || series.busy + back_of(series) <= gap_) return false;
  AloneAtEngine engine{*this, series, series.busy + back_of(series)};
  const Int visited = visits.visit_alone(tasklet, ready, series.issues, requests, engine);
  if (visited == 0) return false;
  pass_request(tasklet, static_cast<std::uint32_t>(visited - 1));
  go_on(tasklet, ready);
  return true;
}

// Returns the number of visits to the pipeline, in the order of the returning tasklets, that certainly find
// the engine busy. During these visits, all requests equal those of `series`, no tasklet overtakes another,
// and no member leaves the pipeline.
Int DpuClock::visits_to_busy_engine(const PipelineVisits& visits, const Series& series) {
  TurnQueue& parked = now_.parked;
  const auto count = static_cast<Int>(parked.size());
  const Int longest = visits.longest(series.issues), apart = longest + 1 + gap_, back = back_of(series);
  const auto& [every, window] = system_.dma.refresh;
  // A tasklet that follows another one at the engine is ready `busy` cycles later.
  if (series.busy < apart || now_.free > now_.refresh || (every > 0 && every <= window)) return 0;
  // Most calls return at one of these two tests.
  if (parked.front().ready() + longest > now_.free) return 0;
  if (parked.second().ready() + longest > now_.free + series.busy) return 1;
  // The last visit begins at least `longest` cycles before the engine reaches its tasklet.
  const Int cycles = visits.first_end() - 1 - gap_ - now_.free;
  if (cycles < 0) return 0;
  const Int work = every > 0 ? cycles - (cycles / every + 1) * window : cycles;
  Int most = work / series.busy + 1;
  // True if the first tasklet is back before the engine waits.
  const bool again = (count - 1) * series.busy >= back + longest;
  Int least = visits.steady_from();
  for (Int i = 0; i < count && i <= most; ++i) {
    const Turn& turn = parked[static_cast<std::size_t>(i)];
    const Int ready = turn.ready();
    if (ready < least) return i - 1;
    if (ready + longest > now_.free + i * series.busy || !series_of(turn.index()).alike(series)) return i;
    least = ready + apart;
    if (now_.free + series.busy + back < least) return 0;
    most = std::min(most, again ? requests_alike(turn.index()) * count + i : count);
  }
  return most;
}

// Sends each returning tasklet to the engine and back once, in order.
void DpuClock::take_tour(PipelineVisits& visits, const Series& series) {
  const bool each = visits.leaves_traces();
  const Int back = back_of(series);
  for (std::size_t i = 0; i < now_.parked.size(); ++i) {
    Turn& turn = now_.parked[i];
    if (each) visits.pass(turn.index(), turn.ready());
    keep_engine_busy(series.busy);
    turn.key = turn_key(now_.free + back, turn.index());
  }
}

// Runs several tours. In a tour without a refresh, each tasklet returns `busy` cycles after its predecessor,
// so visits of the next tour are `busy` cycles apart. Until the next refresh, all tours are equal.
void DpuClock::take_tours(PipelineVisits& visits, const Series& series, Int tours) {
  const std::size_t count = now_.parked.size();
  std::array<std::uint8_t, PipelinePlaces::most> tasklets{};
  for (std::size_t i = 0; i < count; ++i) tasklets[i] = static_cast<std::uint8_t>(now_.parked[i].index());
  const Int tour_work = static_cast<Int>(count) * series.busy, back = back_of(series);
  for (Int tour = 0; tour < tours;) {
    const Int first = now_.parked.front().ready(), last = now_.parked[count - 1].ready();
    const bool even = tour > 0 && last - first == tour_work - series.busy;
    const Int calm = even ? std::min(tours - tour, (now_.refresh - now_.free) / tour_work) : 0;
    tour += std::max<Int>(1, calm);
    if (calm == 0) {
      take_tour(visits, series);
      continue;
    }
    visits.pass_tours(std::span(tasklets).first(count), calm, first, series.busy);
    now_.free += calm * tour_work;
    Int ready = now_.free + back;
    for (std::size_t i = count; i-- > 0; ready -= series.busy)
      now_.parked[i].key = turn_key(ready, tasklets[i]);
  }
}

bool DpuClock::leap_together(PipelineVisits& visits) {
  TurnQueue& parked = now_.parked;
  const Series& series = series_of(parked.front().index());
  const Int most = visits_to_busy_engine(visits, series);
  if (most < 2) return false;
  const auto count = static_cast<Int>(parked.size());
  const Int tours = std::max<Int>(0, most / count - 1);  // after these, each tasklet has another visit
  const bool each = visits.leaves_traces();
  for (std::size_t i = 0; tours > 0 && i < parked.size(); ++i)
    pass_request(parked[i].index(), static_cast<std::uint32_t>(tours));
  if (each) {
    take_tours(visits, series, tours);
  } else if (tours > 0) {
    keep_engine_busy((tours - 1) * count * series.busy);
    take_tour(visits, series);
  }
  Int last = 0;
  for (Int visit = tours * count; visit < most; ++visit) {
    const Turn turn = parked.front();
    last = turn.ready();
    if (each) visits.pass(turn.index(), last);
    keep_engine_busy(series.busy);
    go_on(turn.index(), now_.free + back_of(series));
  }
  visits.skip_to_steady(last + visits.longest(series.issues) + 1 + gap_, most * series.issues);
  return true;
}

}  // namespace nestor::cnm
