// Exact method of `schedule`: a heuristic schedule first, then the common engine on the label search of
// model/simd/search until nothing cheaper is left or a limit ends it. The part still open then gives a lower
// bound.
#pragma once

#include <optional>

#include "heuristics/simd/methods.h"

namespace nestor::simd {

/// Behaves like the methods of heuristics/simd/methods.h. `ended` is the end of a search; it is `infeasible`
/// only if that proves that there is no schedule.
bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work,
               std::optional<Status>& ended);

}  // namespace nestor::simd
