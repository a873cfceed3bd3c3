// Initial schedule by priorities, built with the search framework of heuristics/priority. Every operator
// starts with its smallest option. Each grant then gives cores to the operator that shortens the longest path
// most per core. Early grants may turn out to be useless, so improvement passes hold one grant back and
// derive the later ones again. The schedule has no proof. It takes a few milliseconds on the largest
// networks.
#pragma once

#include <cstdint>
#include <optional>

#include "model/chip/decisions.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// Returns a legal schedule that is no slower than the plain pipeline on the same segments (first_fit,
/// baselines.h). Returns nothing if these are not legal, or if they have too many rows to try more than a few
/// schedules. The result depends only on the seed, unless `stop` ends the search early.
std::optional<Decisions> priority_schedule(const ChipProblem& problem, Levels levels, std::uint64_t seed,
                                           const StopSource& stop);

}  // namespace nestor::chip
