// Callback that decides, between short stretches of work, whether a computation gives up because of the clock
// or a signal. An abandoned computation is discarded completely, so that no result depends on the moment of
// the stop.
#pragma once

#include <functional>

namespace nestor::simd {

/// An empty function never stops.
using Stop = std::function<bool()>;

inline bool should_stop(const Stop& stop) { return stop && stop(); }

}  // namespace nestor::simd
