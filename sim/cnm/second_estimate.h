// Independent second estimate of a long program (docs/models/cnm.md, "The engine"). The stepper simulates a
// few short runs, on program trees with fewer trips, from which the figures of the whole program are
// extrapolated. Lower bounds are summed over the tree. The estimate shares no formula with model/cnm/engine;
// `nestor verify` compares claims with it.
#pragma once

#include <array>
#include <optional>

#include "sim/cnm/dpu_stepper.h"

namespace nestor::sim::cnm {

struct SecondEstimate {
  double cycles = 0;
  std::array<double, 4> causes{};          ///< issue, barrier, dma, gap
  double issue = 0, dma = 0, tasklet = 0;  ///< lower bounds on the cycles
  Int runs = 0, cycles_simulated = 0, k = 0;
  bool linear = true;
};

/// Returns the estimate, or nothing if the short runs are too long to simulate.
std::optional<SecondEstimate> estimate_again(const nestor::cnm::System& system,
                                             const nestor::cnm::Program& program, Int tasklets);

}  // namespace nestor::sim::cnm
