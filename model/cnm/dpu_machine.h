// The DPU: tasklets that share one pipeline and one DMA engine of one or more ports (docs/models/cnm.md, "The
// UPMEM machine"). Always the tasklet that has been ready longest is next; a slot takes a cycle of the
// pipeline, a transfer goes through the engine, which refresh interrupts. As long as nothing but slots
// happens the tasklets take turns in a fixed order; whole rotations are then skipped at once, whatever the
// number of tasklets. sim/cnm holds a stepper that skips nothing, model/cnm/dpu_clock a machine that counts
// no causes: all give the same cycles.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"
#include "model/cnm/turns.h"

namespace nestor::cnm {

/// Why a cycle passed: a slot was issued; else every tasklet left waited at a barrier; else the engine was
/// busy or in refresh; else tasklets waited for their next slot.
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
  /// At most max_tasklets tasklets.
  DpuMachine(const System& system, Int tasklets);

  /// Runs the steps with these trips (by loop number). Nothing if more than `budget` requests or turns had to
  /// be looked at; what was used is taken off.
  std::optional<DpuRun> run(const FlatProgram& program, std::span<const Int> trips, Int& budget);

 private:
  struct Tasklet {
    Int ready = 0;
    Int slots = 0;  ///< to issue before the step at `next`
    std::uint32_t next = 0;
    std::uint32_t index = 0;
    bool waiting = false;               ///< at a barrier
    std::array<Int, max_depth> left{};  ///< trips of the loops around, by depth
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
  // Tasklets that take their turns, each ready a gap after its last slot: they stay in order by themselves.
  // Times and slots left are stored as if no whole rotation had been skipped.
  TurnRing turns_;
  Int skipped_time_ = 0, skipped_slots_ = 0;
  Int fewest_ = 0;                          ///< the least `slots` among them
  TurnQueue parked_;                        ///< those that come back from the engine or a barrier
  std::array<Int, max_tasklets> issued_{};  ///< cycles of a turn; a place to work in
  std::vector<Int> busy_;                   ///< by step: cycles of the engine
  std::size_t running_ = 0;                 ///< those that have not ended
  std::size_t waiting_ = 0;
  Int now_ = 0;
  struct Port {
    Int free = 0;     ///< when its last transfer is over
    Int refresh = 0;  ///< the next that it meets
  };
  std::vector<Port> ports_;
  Int free_ = 0;  ///< when all ports are
  Int last_end_ = 0;
  Causes causes_;
};

}  // namespace nestor::cnm
