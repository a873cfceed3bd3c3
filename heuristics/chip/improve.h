// Schedules improved step by step, for objectives and limits that the exact search leaves open on networks:
// one operator at a time gets the copies, parts, phases or side that help most, until nothing helps. Proves
// nothing; what it finds is an incumbent.
#pragma once

#include "model/chip/search/compile.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// The decisions that `start` leads to: no worse for the request, and keeping its limits if any step towards
/// them was found. `effort`: rows of all schedules tried, which bounds the work the same on every machine.
Decisions improve(const ChipProblem& problem, const CompileRequest& request, Decisions start,
                  std::uint64_t effort, StopSource& stop);

}  // namespace nestor::chip
