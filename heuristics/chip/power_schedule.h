// Initial schedules for requests with limited or least peak power. Every operator starts with its option of
// least power. Steps then replace options on the longest path, each by the option that shortens the path most
// for its share of the power budget and of the free cores. The budget limits the sum of the powers of all
// rows of a segment. Rows of different operators do not all run at once, so the peak is below the budget; a
// bisection finds the budget whose schedule just satisfies the limits. The schedules have no proof.
#pragma once

#include <vector>

#include "model/chip/search/compile.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Returns legal schedules for the limits of the request, at most one for each distinct list of segments
/// among the `bases`, and one for segments whose weights can be written within a limit on power. Returns
/// nothing if the request neither limits nor minimises peak power. The result is always the same, unless
/// `stop` ends the construction early.
std::vector<Decisions> power_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       const std::vector<Decisions>& bases, const StopSource& stop);

}  // namespace nestor::chip
