// Comparison of random programs with GLPK, with CLP and, if those disagree with our solver, with exact
// arithmetic.
#pragma once

#include "solver/simplex/simplex.h"

namespace nestor::simplex {

/// True if the claim of a finished solve is true in exact arithmetic.
bool exact_arithmetic_confirms(const Simplex& simplex);

/// Compares `count` random programs, each solved by both algorithms. NESTOR_LP_SEEDS=first:last selects other
/// seeds instead. Skips if CMake found no reference solver.
void compare_random_programs(std::uint64_t count);

}  // namespace nestor::simplex
