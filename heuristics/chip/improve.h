// Local search on schedules, for networks that exact searches cannot finish. It repeatedly applies the best
// change to the copies, parts, phases or compute unit of one operator, and changes the pipelining of
// segments, until no change is an improvement. If the start violates limits of the request, the search first
// tries to reach schedules that satisfy them. The penalty for violations rises step by step, so that the
// cheapest changes come first. The search proves nothing; its result is an incumbent.
#pragma once

#include "model/chip/search/compile.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Returns the decisions reached from `start`, which must be legal except for limits of the request. Each
/// `first_core` of the start is reset; apart from this, an illegal start is returned unchanged. `effort`
/// limits the total rows of all evaluated segments (each evaluation also has a fixed cost), so the work is
/// the same on every machine.
Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, const StopSource& stop);

}  // namespace nestor::chip
