// Model of a DPU: tasklets that share one pipeline and one DMA engine of one or more ports
// (docs/models/cnm.md, "The UPMEM machine"). The tasklet that has been ready longest is always next. A slot
// takes a cycle of the pipeline; a transfer uses the engine, which refresh interrupts. While only slots are
// issued, the tasklets take turns in a fixed order, and whole rotations are skipped at once, regardless of
// the number of tasklets. sim/cnm has a stepper that skips nothing, and model/cnm/dpu_clock is a machine
// without causes: all three give the same cycles.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"
#include "model/cnm/turns.h"

namespace nestor::cnm {

/// Cause of a cycle, the first that applies: a slot was issued; all remaining tasklets waited at a barrier;
/// the engine was busy or in refresh; tasklets waited for their next slot.
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
  /// Takes at most max_tasklets tasklets.
  DpuMachine(const System& system, Int tasklets);

  /// Runs the steps with these trips (by loop number). Returns nothing if that takes more than `budget`
  /// requests or turns; those used are subtracted from it.
  std::optional<DpuRun> run(const FlatProgram& program, std::span<const Int> trips, Int& budget);

 private:
  struct Tasklet {
    Int ready = 0;
    Int slots = 0;  ///< slots to issue before the step at `next`
    std::uint32_t next = 0;
    std::uint32_t index = 0;
    bool waiting = false;               ///< at a barrier
    std::array<Int, max_depth> left{};  ///< trips of the surrounding loops, by depth
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
  // Tasklets that take turns, each ready a gap after its last slot; this keeps them in order. Times and
  // remaining slots are stored as if no whole rotation had been skipped.
  TurnRing turns_;
  Int skipped_time_ = 0, skipped_slots_ = 0;
  Int fewest_ = 0;                          ///< least `slots` among them
  TurnQueue parked_;                        ///< tasklets that return from the engine or a barrier
  std::array<Int, max_tasklets> issued_{};  ///< cycles of a turn, as scratch space
  std::vector<Int> busy_;                   ///< cycles of the engine, by step
  std::size_t running_ = 0;                 ///< number of tasklets that have not ended
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
