// A first mapping by priorities, for the search frame of heuristics/priority, of given spatial factors. Loops
// are placed one factor after another, from the innermost outward. An operand stays in its memory while its
// tile fits; a loop that would make it too large sends it to a memory further out, and the tile inside
// crosses once per iteration of everything still to be placed.
//
// Priorities: first what the objective comes to with the transfers that a loop causes now, then how many
// cycles they take, then how much of the tiles the loop reuses. Complete nests are costed exactly, with the
// layouts that suit them. bench/pim_layers --first compares the climber (climber.h).
#pragma once

#include "heuristics/pim/climber.h"

namespace nestor::pim {

/// The best of some restarts, improved; nothing if no nest was legal. Of `limits`, the cost that is enough
/// and the number of judgements count.
std::optional<Climbed> priority_nest(const PimProblem& problem, const SpatialFactors& spatial,
                                     const ClimbLimits& limits, std::uint64_t seed);

}  // namespace nestor::pim
