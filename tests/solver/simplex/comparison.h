// Random programs against GLPK, CLP and, where those disagree with ours, exact arithmetic.
#pragma once

#include "solver/simplex/simplex.h"

namespace nestor::simplex {

/// The claim of a finished solve holds in exact arithmetic.
bool exact_arithmetic_confirms(const Simplex& simplex);

/// Compares `count` random programs, each solved by both algorithms. NESTOR_LP_SEEDS=first:last replays
/// others instead. Skips where a reference solver was not found at configuration.
void compare_random_programs(std::uint64_t count);

}  // namespace nestor::simplex
