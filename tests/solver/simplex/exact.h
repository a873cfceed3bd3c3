// An exact check that decides which solver is right if two solvers disagree. It recomputes the claims of a
// final basis in exact rational arithmetic, with dense Gaussian elimination that shares no code with the
// solver. Doubles are rationals, so the input is not rounded. Only for small programs: the cost is cubic in
// the number of rows, and numbers grow.
#pragma once

#include "solver/simplex/options.h"

namespace nestor::simplex {

/// True if the claim of `solution` (optimal, infeasible or unbounded) is right. Optimal: the basic solution
/// of `basis` is primal and dual feasible up to `slack` relative to the bounds and costs, and has the claimed
/// objective up to a relative 1e-7. (Degenerate programs with rounded data are feasible only up to the
/// slack.) Infeasible: two bounds cross, or a row of the inverse is a proof. Unbounded: the basic solution is
/// feasible, and the inverse times a nonbasic column gives an unbounded ray of improving cost.
bool exact_check_holds(const LinearProgram& program, const LpSolution& solution, const Basis& basis,
                       double slack = 1e-9);

}  // namespace nestor::simplex
