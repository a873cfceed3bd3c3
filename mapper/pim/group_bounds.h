// Lower bounds on energy or EDP for whole groups of spatial choices, before the search. One table of all
// operands (model/pim/search/joint_table.h) bounds every choice of a group, so that the search opens only the
// few choices that these bounds do not close.
#pragma once

#include <cstdint>

#include "base/stop_signal.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/executor.h"
#include "solver/engine/host_storage.h"

namespace nestor::mapper::pim {

using GroupedSpace = nestor::pim::PimSpace<HostStorage>;

/// Raises the bounds of the choices that are below `cutoff`. The problem must have a table of all operands
/// (JointTable::supports) and prime factors. Returns the work in expansions, at most `most_work`.
/// If a stop, the memory or the work ends it early, all bounds so far are kept. The result is the same for
/// any executor.
std::uint64_t raise_group_bounds(GroupedSpace& space, double cutoff, std::uint64_t most_work,
                                 Executor& executor, MemoryBudget& memory, const StopSignal& stop);

}  // namespace nestor::mapper::pim
