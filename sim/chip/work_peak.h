// Peak number of simultaneously active crossbars in a segment (internal to sim/chip).
#pragma once

#include "sim/chip/timing.h"

namespace nestor::sim::chip {

Int most_at_once(const std::vector<ThreadTime>& threads);

}  // namespace nestor::sim::chip
