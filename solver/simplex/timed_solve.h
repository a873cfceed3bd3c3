// A solve under a limit of time, which Simplex itself does not know: it counts iterations.
#pragma once

#include "solver/simplex/simplex.h"

namespace nestor::simplex {

/// Solves for about `seconds`: in stretches, each from the basis of the one before. Iterations are those of
/// all stretches; the status is `iteration_limit` where time ran out.
LpSolution solve_within(Simplex solver, double seconds);

}  // namespace nestor::simplex
