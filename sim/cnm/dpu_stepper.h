// Step-by-step simulation of a DPU as docs/models/cnm.md defines it. It executes the program tree of every
// tasklet, one slot, transfer or barrier at a time, and counts the causes of cycles individually. It is slow
// and shares only types with the machine that the estimate uses. `nestor simulate` and --trace run it on
// whole programs.
#pragma once

#include <functional>
#include <optional>

#include "model/cnm/dpu_machine.h"

namespace nestor::sim::cnm {

/// Activity of one tasklet in [begin, end): a run of slots, a transfer in the engine, or a wait.
struct DpuEvent {
  Int tasklet = 0;
  nestor::cnm::ItemKind kind = nestor::cnm::ItemKind::slots;
  Int begin = 0;
  Int end = 0;
  Int bytes = 0;
};

struct StepperLimits {
  Int steps = Int{1} << 40;
  bool causes = true;  ///< counting them takes time proportional to the cycles
};

/// Returns nothing if the limit is reached.
std::optional<nestor::cnm::DpuRun> step_dpu(const nestor::cnm::System& system,
                                            const nestor::cnm::Program& program, Int tasklets,
                                            const StepperLimits& limits = {},
                                            const std::function<void(const DpuEvent&)>& observe = {});

}  // namespace nestor::sim::cnm
