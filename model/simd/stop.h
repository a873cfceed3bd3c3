// Asked between short stretches of work whether to give up: the clock or a signal. What was given up is
// dropped whole, so that no result depends on the moment.
#pragma once

#include <functional>

namespace nestor::simd {

/// Empty: never.
using Stop = std::function<bool()>;

inline bool should_stop(const Stop& stop) { return stop && stop(); }

}  // namespace nestor::simd
