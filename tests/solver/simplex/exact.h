// The arbiter where solvers disagree: recomputes what a final basis claims in exact rational arithmetic, with
// dense Gaussian elimination that shares nothing with the solver. Doubles are rationals, so nothing is
// rounded on the way in. For small programs (the cost is cubic in rows, with growing numbers).
#pragma once

#include "solver/simplex/options.h"

namespace nestor::simplex {

/// The claim of `solution` (optimal, infeasible or unbounded) is right: the basic solution of `basis` is
/// exactly primal and dual feasible up to `slack` relative to the bounds and costs (degenerate programs
/// whose data were rounded are feasible only up to that) and has the claimed objective to 1e-7; a row of its
/// inverse proves infeasibility; a column of it is a ray.
bool exact_check_holds(const LinearProgram& program, const LpSolution& solution, const Basis& basis,
                       double slack = 1e-9);

}  // namespace nestor::simplex
