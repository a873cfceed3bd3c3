// The most crossbars at work at the same time in a segment (private to the room).
#pragma once

#include "sim/chip/timing.h"

namespace nestor::sim::chip {

Int most_at_once(const std::vector<ThreadTime>& threads);

}  // namespace nestor::sim::chip
