// Where model/cnm/dpu_clock does not go from request to request. Most requests are like those before them,
// and two things are seen again and again:
// - One tasklet reads and all others have slots to issue. It finds the engine free each time, so it is ready
//   again the same number of cycles after its last slot, up to the next refresh.
// - So many tasklets read that the engine never waits. The transfer of one is at an end so many cycles before
//   the engine comes to it again that it is there in any case, whatever the pipeline keeps it waiting. Then
//   transfers follow one another without a break, held up by refresh alone, and nobody overtakes.
#include <algorithm>

#include "model/cnm/dpu_clock.h"
#include "model/cnm/pipeline_visits.h"

namespace nestor::cnm {

bool DpuClock::leap(PipelineVisits& visits) {
  return now_.parked.size() == 1 ? leap_alone(visits) : leap_together(visits);
}

// That a tasklet has before it, with one more like them behind; the first one not past the next note.
Int DpuClock::requests_alike(std::uint32_t tasklet) const {
  std::uint32_t until = series_of(tasklet).end - 1;
  if (tasklet == 0) until = std::min(until, next_note_);
  return Int{until} - Int{now_.next[tasklet]};
}

bool DpuClock::leap_alone(PipelineVisits& visits) {
  Turn& turn = now_.parked[0];
  const std::uint32_t tasklet = turn.index();
  const Series& series = series_of(tasklet);
  const Int most = requests_alike(tasklet), pause = series.busy + back_of(series);
  Int ready = turn.ready();
  if (most < 1 || pause <= gap_ || ready < now_.free) return false;
  // Each begins and ends before the next refresh.
  const Int latest = now_.refresh - std::max<Int>(series.busy, 1);
  const Int requests = visits.visit_alone(tasklet, ready, series.issues, pause, most, latest);
  if (requests == 0) return false;
  now_.free = ready - back_of(series);
  pass_request(tasklet, static_cast<std::uint32_t>(requests));
  turn.key = turn_key(ready, tasklet);
  return true;
}

// How often each of those that are parked has its turn at an engine that never waits for one of them, while
// all their requests are like this one and no member of the pipeline goes. Where that is not sure, 0.
Int DpuClock::tours_in_a_busy_engine(const PipelineVisits& visits, const Series& series) {
  TurnQueue& parked = now_.parked;
  const auto count = static_cast<Int>(parked.size());
  const Int longest = visits.longest(series.issues), apart = longest + 1 + gap_, back = back_of(series);
  // A tasklet that is behind another at the engine is ready `busy` cycles later.
  if (series.busy < apart || (count - 1) * series.busy < back + longest || now_.free > now_.refresh) return 0;
  Int tours = std::numeric_limits<Int>::max();
  for (Int i = 0; i < count; ++i) {
    const Turn& turn = parked[static_cast<std::size_t>(i)];
    const Int least = i > 0 ? parked[static_cast<std::size_t>(i - 1)].ready() + apart : visits.settled();
    if (turn.ready() < least || turn.ready() + longest > now_.free + i * series.busy) return 0;
    if (!series_of(turn.index()).alike(series)) return 0;
    tours = std::min(tours, requests_alike(turn.index()));
  }
  if (now_.free + series.busy + back < parked[parked.size() - 1].ready() + apart) return 0;
  // The one that is first after the last tour is through before a member goes.
  const Int cycles = visits.first_end() - longest - back - now_.free;
  if (cycles <= 0) return 0;
  const auto& [every, window] = system_.dma.refresh;
  if (every > 0 && every <= window) return 0;
  const Int work = every > 0 ? cycles - (cycles / every + 1) * window : cycles;
  return std::min(tours, (work - 1) / (count * series.busy));
}

bool DpuClock::leap_together(PipelineVisits& visits) {
  TurnQueue& parked = now_.parked;
  const Series& series = series_of(parked.front().index());
  const Int tours = requests_alike(parked.front().index()) > 0 ? tours_in_a_busy_engine(visits, series) : 0;
  if (tours < 1) return false;
  const bool each = visits.leaves_traces();
  if (!each) keep_engine_busy((tours - 1) * static_cast<Int>(parked.size()) * series.busy);
  for (Int tour = each ? 0 : tours - 1; tour < tours; ++tour)
    for (std::size_t i = 0; i < parked.size(); ++i) {
      Turn& turn = parked[i];
      if (each) visits.pass(turn.index(), turn.ready());
      keep_engine_busy(series.busy);
      turn.key = turn_key(now_.free + back_of(series), turn.index());
    }
  for (std::size_t i = 0; i < parked.size(); ++i)
    pass_request(parked[i].index(), static_cast<std::uint32_t>(tours));
  visits.settle(parked.front().ready(), tours * static_cast<Int>(parked.size()) * series.issues);
  return true;
}

// Transfers follow one another for this many cycles of the engine, more than none. It is free before a
// refresh or just when one begins.
void DpuClock::keep_engine_busy(Int work) {
  const Int before_refresh = now_.refresh - now_.free;
  now_.free += work;
  if (work <= before_refresh) return;
  const auto& [every, window] = system_.dma.refresh;
  const Int windows = (work - before_refresh - 1) / (every - window) + 1;
  now_.free += windows * window;
  now_.refresh += windows * every;
}

}  // namespace nestor::cnm
