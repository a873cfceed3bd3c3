// First schedules for the exact search, and improved ones if it leaves a request open.
#pragma once

#include <vector>

#include "heuristics/chip/baselines.h"
#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Returns `baselines` (legal ones) and a schedule made by priorities (heuristics/chip/priority_schedule.h),
/// which is legal too.
std::vector<Decisions> first_schedules(const ChipProblem& problem, Levels levels,
                                       std::vector<Decisions> baselines, const StopSource& stop);

/// Improves the schedules of `outcome` and of `first` while the request is open.
void improve_known(const ChipProblem& problem, const CompileRequest& request,
                   const std::vector<Decisions>& first, CompileOutcome& outcome, const StopSource& stop);

}  // namespace nestor::chip
