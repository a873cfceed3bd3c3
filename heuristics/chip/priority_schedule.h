// Initial schedule by priorities, built with the search framework of heuristics/priority. Every operator
// starts with its smallest option. Each grant then gives cores to the operator that shortens the longest path
// most per core. Early grants may turn out to be useless, so improvement passes withhold one grant and derive
// the later grants again. The schedule has no proof. Building it takes a few milliseconds even for large
// networks.
#pragma once

#include <cstdint>
#include <optional>

#include "model/chip/decisions.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Returns a legal schedule that is no slower than the plain pipeline on the same segments (first_fit,
/// baselines.h). Returns nothing if these segments are illegal, or if they have so many rows that only a few
/// schedules could be tried. The result depends only on the seed, unless `stop` ends the search early.
std::optional<Decisions> priority_schedule(const ChipProblem& problem, Levels levels, std::uint64_t seed,
                                           const StopSource& stop);

}  // namespace nestor::chip
