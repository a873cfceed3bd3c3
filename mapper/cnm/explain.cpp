#include "mapper/cnm/explain.h"

namespace nestor::cnm {

std::vector<ChangedOptimum> explain(const Kernel& kernel, std::span<const ChangedSystem> systems,
                                    const Library& library, const MapRequest& request) {
  std::vector<ChangedOptimum> found;
  for (const ChangedSystem& changed : systems) {
    const auto result = map_kernel(kernel, changed.system, library, request);
    if (result.time_ms > 0) found.push_back({changed.path, changed.value, result.time_ms, result.status});
  }
  return found;
}

}  // namespace nestor::cnm
