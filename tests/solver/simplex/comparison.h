// Comparison of the solver with GLPK and CLP on random programs. If they disagree, exact arithmetic decides.
#pragma once

#include "solver/simplex/simplex.h"

namespace nestor::simplex {

/// True if exact arithmetic confirms the result of a finished solve.
bool exact_arithmetic_confirms(const Simplex& simplex);

/// Compares `count` random programs, each solved by both algorithms. NESTOR_LP_SEEDS=first:last selects other
/// seeds instead. Skips if CMake found no reference solver.
void compare_random_programs(std::uint64_t count);

}  // namespace nestor::simplex
