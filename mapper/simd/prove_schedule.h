// The exact method of `schedule`: a heuristic schedule first, then the common engine on the label search of
// model/simd/search until nothing cheaper is left or a limit ends it; what is open then is a lower bound.
#pragma once

#include <optional>

#include "heuristics/simd/methods.h"

namespace nestor::simd {

/// Like the methods of heuristics/simd/methods.h. `ended`: how a search ended; `infeasible` only where that
/// proves that there is no schedule.
bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work,
               std::optional<Status>& ended);

}  // namespace nestor::simd
