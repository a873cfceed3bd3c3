// The cycles of a DPU alone, for whole spaces of mappings: what model/cnm/dpu_machine says without its
// causes, several times as fast. All tasklets run the same list of requests, so it is written out once; slots
// between requests are a matter of places in the pipeline (model/cnm/pipeline_places), whatever their number;
// a tasklet that issues a few on its way from one transfer to the next visits it (model/cnm/pipeline_visits).
//
// Programs of neighbouring mappings differ in the trips of a loop, so their lists begin alike. No tasklet
// overtakes another: as long as the first has not come to where two lists differ, nothing of the difference
// has been seen. A run therefore leaves notes of its whole state on its way, and the next one begins with the
// last note before the first difference.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/cnm/pipeline_places.h"
#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

class DpuClock {
 public:
  DpuClock(const System& system, Int tasklets);

  /// What it can say at all: neither the gap nor the tasklets are too many for its places.
  static bool covers(const System& system, Int tasklets) {
    return system.gap <= PipelinePlaces::most && tasklets <= PipelinePlaces::most;
  }
  /// False for the rare programs that it leaves to the machine: very long lists, and tasklets that end early
  /// in a loop or before a barrier.
  bool read(const FlatProgram& program, std::span<const Int> trips);
  /// Cycles of what was read; it goes on from where it parts from what was run before. Nothing if it holds
  /// more than `budget` requests and ends of tasklets; they are taken off.
  std::optional<Int> run(Int& budget);

 private:
  enum class Ending : std::uint8_t { read, write, barrier, end, others_end };
  /// Slots, and what follows them.
  struct Stretch {
    Int issues = 0;  ///< with a transfer's own slot
    Int busy = 0;    ///< cycles of the engine
    Ending ending = Ending::end;
    bool transfers() const { return ending <= Ending::write; }
    friend bool operator==(const Stretch&, const Stretch&) = default;
  };
  /// What changes while it runs.
  struct State {
    explicit State(Int gap) : places(gap) {}
    std::array<std::uint32_t, PipelinePlaces::most> next{};  ///< stretch, by tasklet
    TurnQueue parked;  ///< tasklets on their way back from the engine or a barrier
    PipelinePlaces places;
    Int free = 0, refresh = 0;  ///< of the engine: when it is free, and its next refresh, if there is any
    Int last_end = 0, last_arrival = 0;
    std::uint32_t waiting = 0;
  };
  bool repeat_from(std::size_t first, Int times);
  void begin();
  void plan_note();
  void note();
  void start(std::uint32_t tasklet, Int ready);
  void act(std::uint32_t tasklet, Int last_slot);
  Int first_end() const;
  void visit_pipeline();
  void come_back();
  void arrive(Int ready);
  Int through_engine(Int slot, const Stretch& stretch);
  Int after_refresh(Int begin, Int busy);

  const System& system_;
  const std::uint32_t tasklets_;
  const Int gap_, barrier_cycles_, read_return_, write_return_;

  std::vector<Stretch> stretches_, before_;          ///< of the program at hand, and of the one run before
  bool was_run_ = false;                             ///< the one at hand
  std::size_t shared_ = 0;                           ///< stretches that every tasklet runs
  std::array<Int, max_depth + 1> left_{};            ///< trips, by depth
  std::array<std::size_t, max_depth + 1> second_{};  ///< where the second trip begins
  std::vector<Int> busy_;                            ///< cycles of the engine, by step
  State now_;
  std::vector<State> notes_;  ///< in the order of the first tasklet's next stretch
  std::size_t noted_ = 0;     ///< how many of them hold
  std::uint32_t next_note_ = 0;
};

/// One thread's clock, made anew when the number of tasklets is another.
class KeptClock {
 public:
  DpuClock& of(const System& system, Int tasklets) {
    if (!clock_ || tasklets != tasklets_) clock_.emplace(system, tasklets);
    tasklets_ = tasklets;
    return *clock_;
  }

 private:
  std::optional<DpuClock> clock_;
  Int tasklets_ = 0;
};

}  // namespace nestor::cnm
