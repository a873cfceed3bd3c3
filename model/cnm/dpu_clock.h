// The cycles of a DPU alone, for whole spaces of mappings: what model/cnm/dpu_machine says without its
// causes, several times as fast. All tasklets run the same list of requests, so it is written out once
// (model/cnm/request_lists); slots between requests are a matter of places in the pipeline
// (model/cnm/pipeline_places), whatever their number; a tasklet that issues a few on its way from one
// transfer to the next visits it (model/cnm/pipeline_visits); requests that are like those before them are
// leapt over where one tasklet goes alone or the engine never waits (model/cnm/dpu_leaps.cpp).
//
// Programs of neighbouring mappings differ in the trips of a loop, so their lists begin alike. No tasklet
// overtakes another: as long as the first has not come to where two lists differ, nothing of the difference
// has been seen. Many lists are therefore run together, and each leaves notes of its whole state where those
// behind it part; the next one begins with the last note before it parts from the one before. If lists are
// sorted, so that those that begin alike stand together, no transfer that they share is run twice.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "model/cnm/pipeline_places.h"
#include "model/cnm/request_lists.h"

namespace nestor::cnm {

class PipelineVisits;

class DpuClock {
 public:
  DpuClock(const System& system, Int tasklets);

  /// What it can say at all: one port of the DMA engine, and neither the gap nor the tasklets are too many
  /// for its places.
  static bool covers(const System& system, Int tasklets) {
    return system.dma.ports == 1 && system.gap <= PipelinePlaces::most && tasklets <= PipelinePlaces::most;
  }
  /// Lists to be run.
  RequestLists& lists() { return lists_; }
  /// Cycles of each list. It has none then.
  void run(std::vector<Int>& cycles);

 private:
  static constexpr Int never = std::numeric_limits<Int>::max();
  using Ending = RequestLists::Ending;
  using Series = RequestLists::Series;
  /// What changes while it runs.
  struct State {
    explicit State(Int gap) : places(gap) {}
    std::array<std::uint32_t, PipelinePlaces::most> next{};    ///< request, by tasklet
    std::array<std::uint32_t, PipelinePlaces::most> series{};  ///< in which it is
    TurnQueue parked;  ///< tasklets on their way back from the engine or a barrier
    PipelinePlaces places;
    Int free = 0, refresh = 0;  ///< of the engine: when it is free, and its next refresh, if there is any
    Int last_end = 0, last_arrival = 0;
    std::uint32_t waiting = 0;
  };
  void begin(std::size_t list);
  void plan_notes(std::size_t list);
  void note();
  Int run_list();
  void start(std::uint32_t tasklet, Int ready);
  void act(std::uint32_t tasklet, Int last_slot);
  /// The cycle at which the first in the pipeline issues its last slot.
  Int first_end() const { return now_.places.empty() ? never : now_.places.first_end(); }
  const Series& series_of(std::uint32_t tasklet) const { return list_[now_.series[tasklet]]; }
  void pass_request(std::uint32_t tasklet, std::uint32_t requests = 1) {
    now_.next[tasklet] += requests;
    if (now_.next[tasklet] == series_of(tasklet).end) ++now_.series[tasklet];
  }
  bool visit_pipeline();
  Int second_back() const;
  bool is_brief(Int first_end) const;
  Int requests_alike(std::uint32_t tasklet) const;
  bool leap(PipelineVisits& visits);
  struct AloneAtEngine;
  bool leap_alone(PipelineVisits& visits);
  bool leap_together(PipelineVisits& visits);
  Int visits_to_busy_engine(const PipelineVisits& visits, const Series& series);
  void keep_engine_busy(Int work);
  void take_tour(PipelineVisits& visits, const Series& series);
  void take_tours(PipelineVisits& visits, const Series& series, Int tours);
  void go_on(std::uint32_t tasklet, Int ready);
  void come_back();
  void arrive(Int ready);
  Int back_of(const Series& series) const {
    return series.ending == Ending::read ? read_return_ : write_return_;
  }
  // A transfer whose slot is at this cycle; it begins after those before it. Gives the cycle at which its
  // tasklet is ready.
  Int through_engine(Int slot, const Series& series) {
    const Int begin = std::max(slot, now_.free), end = begin + series.busy;
    now_.free = begin < now_.refresh && end <= now_.refresh ? end : after_refresh(begin, series.busy);
    return std::max(slot + gap_, now_.free + back_of(series));
  }
  Int after_refresh(Int begin, Int busy);

  const System& system_;
  const std::uint32_t tasklets_;
  const Int gap_, barrier_cycles_, read_return_, write_return_;

  RequestLists lists_;
  const Series* list_ = nullptr;  ///< the one that is run
  State now_;
  std::vector<State> notes_;            ///< in the order of the first tasklet's next request
  std::size_t noted_ = 0;               ///< how many of them hold
  std::vector<std::uint32_t> planned_;  ///< the first tasklet's request at notes to come, the next one last
  std::uint32_t next_note_ = 0;
};

}  // namespace nestor::cnm
