// Exact row activations of a walk, computed without visiting each access (docs/models/pim.md, section 5.2).
// The loops are levels over addresses. The effect of a level is the same for addresses that differ by whole
// rows. One iteration is therefore composed of summaries of the next inner level, whole periods are raised to
// a power, and results are stored per address within the row. The result always equals that of the
// element-by-element trace (sim/pim).
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
