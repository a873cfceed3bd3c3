// The DPU of the contract, step by step: walks the program tree of every tasklet, one slot, transfer or
// barrier at a time, and counts the causes of cycles one by one. Slow, and nothing shared with the machine
// that the estimate uses but the types. `nestor simulate` and --trace run it on whole programs.
#pragma once

#include <functional>
#include <optional>

#include "model/cnm/dpu_machine.h"

namespace nestor::sim::cnm {

/// What one tasklet did in [begin, end): of a run of slots, of a transfer's time in the engine, of a wait.
struct DpuEvent {
  Int tasklet = 0;
  nestor::cnm::ItemKind kind = nestor::cnm::ItemKind::slots;
  Int begin = 0;
  Int end = 0;
  Int bytes = 0;
};

struct StepperLimits {
  Int steps = Int{1} << 40;
  bool causes = true;  ///< counting them takes time in proportion to the cycles
};

/// Nothing if the limit was reached.
std::optional<nestor::cnm::DpuRun> step_dpu(const nestor::cnm::System& system,
                                            const nestor::cnm::Program& program, Int tasklets,
                                            const StepperLimits& limits = {},
                                            const std::function<void(const DpuEvent&)>& observe = {});

}  // namespace nestor::sim::cnm
