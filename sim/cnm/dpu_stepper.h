// Step-by-step simulation of a DPU (docs/models/cnm.md, "The UPMEM machine"). It executes the program tree of
// every tasklet, one slot, transfer or barrier at a time, and counts every cycle by its cause. It is slow,
// and shares only types and parameters of the system with the machine model of the estimate. `nestor
// simulate` and --trace run it on whole programs.
#pragma once

#include <functional>
#include <optional>

#include "model/cnm/dpu_machine.h"

namespace nestor::sim::cnm {

/// Activity of one tasklet in [begin, end): a slot, a transfer in the engine, or a wait at a barrier.
struct DpuEvent {
  Int tasklet = 0;
  nestor::cnm::ItemKind kind = nestor::cnm::ItemKind::slots;
  Int begin = 0;
  Int end = 0;
  Int bytes = 0;
};

struct StepperLimits {
  Int steps = Int{1} << 40;
  bool causes = true;  ///< true to count causes, in time proportional to the cycles
};

/// Returns the run of a program, or nothing if it takes more than `limits.steps` steps. `observe`, if not
/// empty, receives every event.
std::optional<nestor::cnm::DpuRun> step_dpu(const nestor::cnm::System& system,
                                            const nestor::cnm::Program& program, Int tasklets,
                                            const StepperLimits& limits = {},
                                            const std::function<void(const DpuEvent&)>& observe = {});

}  // namespace nestor::sim::cnm
