// Exact method of `schedule`: runs a heuristic first, and then the common engine with the label search of
// model/simd/search, until no open node can lead to a better schedule or a limit is reached. At a limit, the
// open nodes give a lower bound.
#pragma once

#include <optional>

#include "heuristics/simd/methods.h"

namespace nestor::simd {

/// Behaves like the methods of heuristics/simd/methods.h. `ended` is the final status of the search, if one
/// ran; it is `infeasible` only if it is proved that no schedule exists.
bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work,
               std::optional<Status>& ended);

}  // namespace nestor::simd
