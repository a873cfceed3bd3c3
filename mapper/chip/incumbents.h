// Initial schedules for the exact search, and improvement of schedules after a search that ended without a
// proof.
#pragma once

#include <vector>

#include "heuristics/chip/baselines.h"
#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Returns `baselines`, which must be legal, followed by legal schedules built by priorities
/// (heuristics/chip/priority_schedule.h, power_schedule.h) if any are found.
std::vector<Decisions> first_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       std::vector<Decisions> baselines, const StopSource& stop);

/// If the search reached its work limit or ended by itself without a proof, improves the schedules in
/// `outcome` and `first` until the best schedule reaches the bound or the effort is spent.
void improve_known(const ChipProblem& problem, const CompileRequest& request,
                   const std::vector<Decisions>& first, CompileOutcome& outcome, const StopSource& stop);

}  // namespace nestor::chip
