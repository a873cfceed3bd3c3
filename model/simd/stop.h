// Callback that is polled between short stretches of work and determines whether a computation stops because
// of a time limit or a signal. The partial result of a stopped computation is discarded completely, so that
// no result depends on the moment of the stop.
#pragma once

#include <functional>

namespace nestor::simd {

/// Returns true to stop. An empty function never stops.
using Stop = std::function<bool()>;

inline bool should_stop(const Stop& stop) { return stop && stop(); }

}  // namespace nestor::simd
