// Model of a DPU: tasklets that share one pipeline and one DMA engine with one or more ports
// (docs/models/cnm.md, "The UPMEM machine"). The tasklet that has been ready longest is always next. A slot
// takes a cycle of the pipeline; a transfer uses the engine, which refresh interrupts. While only slots are
// issued, the tasklets take turns in a fixed order. Whole rotations are then skipped in one step, regardless
// of the number of tasklets. The stepper in sim/cnm skips nothing, and model/cnm/dpu_clock does not compute
// causes. All three compute the same cycles.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"
#include "model/cnm/turns.h"

namespace nestor::cnm {

/// Numbers of cycles by cause. The cause of a cycle is the first that applies: a slot was issued; all
/// remaining tasklets waited at a barrier; the engine was busy or in refresh; tasklets waited for their next
/// slot.
struct Causes {
  Int issue = 0;
  Int barrier = 0;
  Int dma = 0;
  Int gap = 0;
  Int total() const { return issue + barrier + dma + gap; }
  friend bool operator==(const Causes&, const Causes&) = default;
};

struct DpuRun {
  Int cycles = 0;
  Causes causes;
};

class DpuMachine {
 public:
  /// Supports at most max_tasklets tasklets.
  DpuMachine(const System& system, Int tasklets);

  /// Runs the steps with these trips (by loop number). Returns nothing if the run needs more than `budget`
  /// requests (transfers, barriers and ends, over all tasklets). The requests used are subtracted from
  /// `budget`.
  std::optional<DpuRun> run(const FlatProgram& program, std::span<const Int> trips, Int& budget);

 private:
  struct Tasklet {
    Int ready = 0;
    Int slots = 0;  ///< number of slots to issue before the step `next`
    std::uint32_t next = 0;
    std::uint32_t index = 0;
    bool waiting = false;               ///< true while it waits at a barrier
    std::array<Int, max_depth> left{};  ///< remaining trips of the surrounding loops, by depth
  };
  void start(const FlatProgram& program, std::span<const Int> trips);
  void fetch(Tasklet& tasklet);
  void park(const Tasklet& tasklet);
  void issue_slots();
  void skip_rotations();
  void take_turns(Int limit);
  void act(Tasklet& tasklet, Int ready);
  void skip_gap_until(Int until);
  void count_rotations(std::span<const Int> issued, Int period, Int rotations);
  Int idle_in_engine(Int from, Int to) const;
  void transfer(Tasklet& tasklet, const Step& step);
  void arrive(Tasklet& tasklet);

  const System& system_;
  const Int tasklets_;
  const Int barrier_cycles_, read_return_, write_return_;

  const FlatProgram* program_ = nullptr;
  std::span<const Int> trips_;
  std::array<Tasklet, max_tasklets> store_{};
  // Tasklets that take turns. Each is ready a gap after its last slot, which keeps them in order. Times and
  // remaining slots are stored as if no whole rotation had been skipped.
  TurnRing turns_;
  Int skipped_time_ = 0, skipped_slots_ = 0;
  Int fewest_ = 0;                          ///< least `slots` of the tasklets in `turns_`
  TurnQueue parked_;                        ///< tasklets that return from the engine or a barrier
  std::array<Int, max_tasklets> issued_{};  ///< cycles of the slots that take_turns() issued last
  std::vector<Int> busy_;                   ///< cycles of the engine, by step
  std::size_t running_ = 0;                 ///< number of tasklets that have not finished
  std::size_t waiting_ = 0;
  Int now_ = 0;
  struct Port {
    Int free = 0;     ///< end of its last transfer
    Int refresh = 0;  ///< next refresh that affects it
  };
  std::vector<Port> ports_;
  Int free_ = 0;  ///< cycle at which all ports are free
  Int last_end_ = 0;
  Causes causes_;
};

}  // namespace nestor::cnm
