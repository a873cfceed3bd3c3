// Cycle counts of DPU runs, for the evaluation of whole mapping spaces. The clock computes the same cycles as
// model/cnm/dpu_machine, several times faster, but not the causes of the cycles. All tasklets run the same
// list of requests, so the list is stored once (model/cnm/request_lists). Slots between requests are handled
// as places in the pipeline, regardless of their number (model/cnm/pipeline_places). A tasklet that issues a
// few slots between two transfers visits the pipeline (model/cnm/pipeline_visits). Repeated requests are
// skipped if one tasklet runs alone or the engine never waits (model/cnm/dpu_leaps.cpp).
//
// Programs of neighbouring mappings differ in the trips of a loop, so their lists share a prefix. No tasklet
// overtakes another, so two lists behave alike until the first tasklet reaches the request where they differ.
// Many lists are therefore run together. A run saves its complete state in a note wherever a later list
// diverges from it. The next list resumes from the last note before it diverges from its predecessor. If
// lists are sorted so that common prefixes are adjacent, no shared transfer is run twice.
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

  /// True if the clock supports the system: it needs one DMA port, and a gap and a number of tasklets that
  /// its places can represent.
  static bool covers(const System& system, Int tasklets) {
    return system.dma.ports == 1 && system.gap <= PipelinePlaces::most && tasklets <= PipelinePlaces::most;
  }
  /// Returns the lists to run, to which callers add.
  RequestLists& lists() { return lists_; }
  /// Computes the cycles of each list and clears the lists.
  void run(std::vector<Int>& cycles);

 private:
  static constexpr Int never = std::numeric_limits<Int>::max();
  using Ending = RequestLists::Ending;
  using Series = RequestLists::Series;
  /// State of a run.
  struct State {
    explicit State(Int gap) : places(gap) {}
    std::array<std::uint32_t, PipelinePlaces::most> next{};    ///< index of the next request, by tasklet
    std::array<std::uint32_t, PipelinePlaces::most> series{};  ///< index of the current series, by tasklet
    TurnQueue parked;  ///< tasklets that return from the engine or a barrier
    PipelinePlaces places;
    /// Cycle at which the engine is free, and at which its next refresh, if any, begins.
    Int free = 0, refresh = 0;
    Int last_end = 0, last_arrival = 0;
    std::uint32_t waiting = 0;
  };
  void begin(std::size_t list);
  void plan_notes(std::size_t list);
  void note();
  Int run_list();
  void start(std::uint32_t tasklet, Int ready);
  void act(std::uint32_t tasklet, Int last_slot);
  /// Returns the first cycle at which a tasklet in the pipeline issues its last slot.
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
  // Runs a transfer that is issued at cycle `slot`, after all earlier transfers. Returns the cycle at which
  // its tasklet is ready.
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
  const Series* list_ = nullptr;  ///< current list
  State now_;
  std::vector<State> notes_;  ///< ordered by the first tasklet's next request
  std::size_t noted_ = 0;     ///< number of valid notes
  /// Requests of the first tasklet at which notes are taken, the next request last.
  std::vector<std::uint32_t> planned_;
  std::uint32_t next_note_ = 0;
};

}  // namespace nestor::cnm
