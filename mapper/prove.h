// One problem of the cim space, solved exactly: which search runs, in which direction, and for how long.
#pragma once

#include "model/cim_space/cim_space.h"
#include "solver/host/engine.h"

namespace nestor::mapper {

using CimEngine = Engine<cim::CimSpace<HostStorage>>;

/// Energy alone can be searched from the inside out or from the outside in (inward_branch.h). Inside out is
/// quicker where buffers hold most of a layer, outside in by far where they do not, and which it is shows
/// after little work: what the first direction cannot prove within `first_direction_work` expansions goes to
/// the second, with the first one's best mapping and bound. The limit counts both.
inline constexpr std::uint64_t first_direction_work = 150000;

/// `seed`: a mapping known beforehand. The limits are those of `options` and `stop`.
CimEngine::Outcome prove(const cim::Problem& problem, Executor& executor, MemoryBudget& memory,
                         const EngineOptions& options, StopSource& stop, EngineObserver* observer = nullptr,
                         std::optional<CimEngine::Found> seed = std::nullopt);

}  // namespace nestor::mapper
