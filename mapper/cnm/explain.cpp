#include "mapper/cnm/explain.h"

#include <algorithm>

#include "solver/engine/stop_source.h"

namespace nestor::cnm {

std::vector<ChangedOptimum> explain(const Kernel& kernel, std::span<const ChangedSystem> systems,
                                    const Library& library, const MapRequest& request) {
  std::vector<ChangedOptimum> found;
  MapRequest rest = request;  // all searches share the request's time limit
  const auto begin = StopSource::Clock::now();
  for (const ChangedSystem& changed : systems) {
    rest.time_limit = std::max(0.0, request.time_limit - seconds_since(begin));
    const auto result = map_kernel(kernel, changed.system, library, rest);
    if (result.time_ms > 0) found.push_back({changed.path, changed.value, result.time_ms, result.status});
  }
  return found;
}

}  // namespace nestor::cnm
