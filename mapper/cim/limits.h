// The engine of the cim space, and the resources of its searches.
#pragma once

#include "model/cim/space/cim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

using CimEngine = Engine<cim::CimSpace<HostStorage>>;

/// Resources of a search.
struct Limits {
  Executor& executor;
  MemoryBudget& memory;
  StopSource& stop;
};

}  // namespace nestor::mapper
