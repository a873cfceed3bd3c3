// The cycles of a DPU alone, for whole spaces of mappings: what model/cnm/dpu_machine says without its
// causes, several times as fast. All tasklets run the same list of requests, so it is written out once; slots
// between requests are a matter of places in the pipeline (model/cnm/pipeline_places), whatever their number;
// a tasklet that issues a few on its way from one transfer to the next visits it (model/cnm/pipeline_visits).
//
// Programs of neighbouring mappings differ in the trips of a loop, so their lists begin alike. No tasklet
// overtakes another: as long as the first has not come to where two lists differ, nothing of the difference
// has been seen. Many lists are therefore run together, and each leaves notes of its whole state where those
// behind it part; the next one begins with the last note before it parts from the one before. If lists are
// sorted, so that those that begin alike stand together, no transfer that they share is run twice.
#pragma once

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
  /// Adds a list. False for the rare programs that it leaves to the machine: very long lists, and tasklets
  /// that end early in a loop or before a barrier.
  bool read(const FlatProgram& program, std::span<const Int> trips);
  /// Of the lists that were added.
  std::size_t stretches() const { return stretches_.size(); }
  /// Requests and ends of tasklets of a list.
  Int requests(std::size_t list) const;
  /// Cycles of each list. It has none then.
  void run(std::vector<Int>& cycles);

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
  struct List {
    std::size_t begin = 0, end = 0;
    std::size_t shared = 0;        ///< stretches that every tasklet runs
    std::size_t alike = 0;         ///< to those of the list before
    std::size_t parts_before = 0;  ///< the next list that is less alike
  };
  bool write_out(const FlatProgram& program, std::span<const Int> trips, List& list);
  bool repeat_from(std::size_t first, Int times);
  void compare_lists();
  void begin(std::size_t list);
  void plan_notes(std::size_t list);
  void note();
  Int run_list();
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

  std::vector<Stretch> stretches_;  ///< of all lists
  std::vector<List> lists_;
  std::array<Int, max_depth + 1> left_{};            ///< trips, by depth
  std::array<std::size_t, max_depth + 1> second_{};  ///< where the second trip begins
  std::vector<Int> busy_;                            ///< cycles of the engine, by step
  const Stretch* list_ = nullptr;                    ///< the one that is run
  State now_;
  std::vector<State> notes_;            ///< in the order of the first tasklet's next stretch
  std::size_t noted_ = 0;               ///< how many of them hold
  std::vector<std::uint32_t> planned_;  ///< the first tasklet's stretch at notes to come, the next one last
  std::uint32_t next_note_ = 0;
};

}  // namespace nestor::cnm
