// Comparison of the solver with GLPK and CLP on random programs. If one of them disagrees, exact arithmetic
// decides.
#pragma once

#include "solver/simplex/simplex.h"

namespace nestor::simplex {

/// True if exact arithmetic confirms the result of a finished solve.
bool exact_arithmetic_confirms(const Simplex& simplex);

/// Solves `count` random programs with the dual and with the primal simplex, and compares the answers with
/// those of GLPK and CLP. NESTOR_LP_SEEDS=first:last selects other seeds instead, without `last`. Skips the
/// test unless CMake found both libraries.
void compare_random_programs(std::uint64_t count);

}  // namespace nestor::simplex
