// Final check of a solution, in the unscaled numbers of the caller's program. It relies on neither basis nor
// factors. An optimal pair must be primal and dual feasible with equal objectives. A Farkas vector must
// combine the rows into a contradiction. A ray must lead from a feasible point to unboundedly low cost.
// Tolerances are relative to the numbers involved. In doubt, tests/solver/simplex/exact.h checks a basis in
// exact arithmetic.
#pragma once

#include "solver/simplex/options.h"

namespace nestor::simplex {

struct CertificateReport {
  bool holds = false;
  double primal_violation = 0;  ///< largest violation, relative to 1 + |bound|
  double dual_violation = 0;    ///< largest violation, relative to 1 + |cost|
  double gap = 0;               ///< relative to 1 + |objective|
};

CertificateReport check_optimal(const LinearProgram& program, const LpSolution& solution, double tolerance);
CertificateReport check_unbounded(const LinearProgram& program, const LpSolution& solution, double tolerance);
/// True if no x and row activities within their bounds satisfy farkas^T A x = farkas^T (row activities).
bool check_infeasible(const LinearProgram& program, const std::vector<double>& farkas);

/// True if the lower bound of a column or row exceeds its upper bound. The program is then infeasible and
/// needs no certificate.
bool has_crossed_bounds(const LinearProgram& program);

}  // namespace nestor::simplex
