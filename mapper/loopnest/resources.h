// Resources that the layers of a run share during mapping, in any loop-nest space.
#pragma once

#include <atomic>

#include "solver/engine/executor.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/stop_source.h"

namespace nestor::mapper {

struct Resources {
  using Clock = StopSource::Clock;

  Executor& executor;
  MemoryBudget& memory;
  Deadline deadline = std::nullopt;  ///< for the whole run
  const std::atomic<bool>* interrupted = nullptr;

  /// Returns the deadline of a layer: `seconds` after `begin`, but not later than the run's deadline.
  Deadline deadline_of_layer(double seconds, Clock::time_point begin) const {
    return earlier(deadline, deadline_after(seconds, begin));
  }
};

}  // namespace nestor::mapper
