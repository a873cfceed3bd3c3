// Effect of changes to a compute-near-memory system, for `map --explain`. The search is repeated on systems
// that each differ from the original in one value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm {

/// Copy of the system with one changed value.
struct ChangedSystem {
  std::string path;  ///< path as in --set
  double value = 0;
  System system;
};

/// Result of the search on a changed system.
struct ChangedOptimum {
  std::string path;
  double value = 0;
  double time_ms = 0;
  Status status = Status::optimal;
};

/// Returns the results in the order of `systems`, without systems that have no mapping. All searches share
/// the request's time limit.
std::vector<ChangedOptimum> explain(const Kernel& kernel, std::span<const ChangedSystem> systems,
                                    const Library& library, const MapRequest& request);

}  // namespace nestor::cnm
