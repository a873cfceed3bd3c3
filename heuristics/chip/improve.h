// Schedules improved step by step, for what exact searches leave open on networks: one operator at a time
// gets the copies, parts, phases or side that help most, until nothing helps. A start that breaks limits is
// first led to schedules that keep them, breaches priced dearer and dearer, so that the steps that cost least
// come first. Proves nothing; what it finds is an incumbent.
#pragma once

#include "model/chip/search/compile.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// The decisions that a legal `start` leads to. `effort`: rows of all segments tried, which bounds the work
/// the same on every machine.
Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, const StopSource& stop);

}  // namespace nestor::chip
