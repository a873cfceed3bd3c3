// The estimate of a long program a second time (docs/models/cnm.md, "The engine"): the same few short runs,
// made by the stepper on program trees with fewer trips, and the sums taken from the tree. Shares no formula
// with model/cnm/engine; `nestor verify` holds claims against it.
#pragma once

#include <array>
#include <optional>

#include "sim/cnm/dpu_stepper.h"

namespace nestor::sim::cnm {

struct SecondEstimate {
  double cycles = 0;
  std::array<double, 4> causes{};          ///< issue, barrier, dma, gap
  double issue = 0, dma = 0, tasklet = 0;  ///< bounds
  Int runs = 0, cycles_simulated = 0, k = 0;
  bool linear = true;
};

/// Nothing if the short runs are too long to be stepped through.
std::optional<SecondEstimate> estimate_again(const nestor::cnm::System& system,
                                             const nestor::cnm::Program& program, Int tasklets);

}  // namespace nestor::sim::cnm
