// Exact row activations of a walk, without walking it (docs/models/pim.md, section 5.2). The loops are levels
// over addresses; what a level does depends on its address only up to whole rows, so one iteration's effect
// is composed from summaries of the level below, whole periods are raised to a power, and what was found for
// an address is kept. The result always equals the element-by-element trace (sim/pim).
#pragma once

#include <memory>

#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

class RowCounter {
 public:
  RowCounter();
  ~RowCounter();
  RowCounter(const RowCounter&) = delete;
  RowCounter& operator=(const RowCounter&) = delete;

  /// Preconditions: layout_fits(), walk.banks <= max_banks, and admit() for the layer and machine.
  Int count(const RowWalk& walk, const Layout& layout);

 private:
  struct Kernels;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace nestor::pim
