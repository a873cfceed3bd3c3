// First schedules for the exact search: the baselines, one made by priorities
// (heuristics/chip/priority_schedule.h), and where networks are too large for a proof of the request (energy,
// power, limits) what improving the baselines and the fastest schedule leads to. The fastest is what a short
// search for least latency finds; its bound is not used.
#pragma once

#include <vector>

#include "heuristics/chip/baselines.h"
#include "model/chip/search/compile.h"

namespace nestor::chip {

/// `baselines`: legal ones. All that come out are legal.
std::vector<Decisions> first_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       std::vector<Decisions> baselines, Executor& executor,
                                       StopSource& stop);

}  // namespace nestor::chip
