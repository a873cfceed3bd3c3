// A first schedule by priorities, for the search frame of heuristics/priority: every operator begins with its
// least answer, and cores go one grant after another to whoever shortens the longest path most for each.
// What is bought early may turn out to be of no use, so improvement passes hold one grant back and derive
// the rest anew. Proves nothing; some milliseconds on the largest networks.
#pragma once

#include <cstdint>
#include <optional>

#include "model/chip/decisions.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// A legal schedule, no slower than the plain pipeline on the same segments (first_fit, baselines.h); nothing
/// if these are not legal, or of so many rows that little could be tried. The same for the same seed, unless
/// `stop` ends it early.
std::optional<Decisions> priority_schedule(const ChipProblem& problem, Levels levels, std::uint64_t seed,
                                           const StopSource& stop);

}  // namespace nestor::chip
