// The cycles of a DPU alone, for whole spaces of mappings: what model/cnm/dpu_machine says without its
// causes, several times as fast. All tasklets run the same list of requests, so it is written out once; slots
// between requests are a matter of places in the pipeline (model/cnm/pipeline_places), whatever their number.
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
  /// Cycles of what was read. Nothing if it holds more than `budget` requests and ends of tasklets; they are
  /// taken off.
  std::optional<Int> run(Int& budget);

 private:
  enum class Ending : std::uint8_t { read, write, barrier, end, others_end };
  /// Slots, and what follows them.
  struct Stretch {
    Int issues = 0;  ///< with a transfer's own slot
    Int busy = 0;    ///< cycles of the engine
    Ending ending = Ending::end;
    bool transfers() const { return ending <= Ending::write; }
  };
  void start(std::uint32_t tasklet, Int ready);
  void act(std::uint32_t tasklet, Int last_slot);
  void go_on(std::uint32_t tasklet, Int ready);
  void arrive(Int ready);
  Int through_engine(Int slot, const Stretch& stretch);

  const System& system_;
  const std::uint32_t tasklets_;
  const Int gap_, barrier_cycles_, read_return_, write_return_;

  std::vector<Stretch> stretches_;
  std::size_t shared_ = 0;  ///< those that every tasklet runs
  std::array<Int, max_depth + 1> left_{};
  std::vector<std::uint32_t> next_;  ///< by tasklet
  TurnQueue parked_;                 ///< tasklets on their way back from the engine or a barrier
  PipelinePlaces places_;
  Int free_ = 0, refresh_ = 0;
  Int last_end_ = 0, last_arrival_ = 0;
  std::uint32_t waiting_ = 0;
};

}  // namespace nestor::cnm
