// Local search on schedules, for networks that exact searches leave open. One operator at a time gets the
// copies, parts, phases or compute unit that help most, until nothing helps. If the start exceeds limits of
// the request, the search first moves to schedules within them. The penalty for violations rises step by
// step, so that the cheapest changes come first. The search proves nothing; its result is an incumbent.
#pragma once

#include "model/chip/search/compile.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Returns the decisions reached from a legal `start`. `effort` limits the total rows of all segments tried,
/// so the work is the same on every machine.
Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, const StopSource& stop);

}  // namespace nestor::chip
