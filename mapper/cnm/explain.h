// Effect of another compute-near-memory system (`map --explain`): the search again on systems that differ
// in one value each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm {

/// A system with one value changed.
struct ChangedSystem {
  std::string path;  ///< as --set has it
  double value = 0;
  System system;
};

/// What the search found there.
struct ChangedOptimum {
  std::string path;
  double value = 0;
  double time_ms = 0;
  Status status = Status::optimal;
};

/// In the order of the systems, those left out that have no mapping. Each search has all of the request's
/// time.
std::vector<ChangedOptimum> explain(const Kernel& kernel, std::span<const ChangedSystem> systems,
                                    const Library& library, const MapRequest& request);

}  // namespace nestor::cnm
