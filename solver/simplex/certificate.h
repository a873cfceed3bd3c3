// Final check of an answer, in the unscaled numbers of the caller's program. It trusts neither basis nor
// factors. An optimal pair must be primal and dual feasible with equal objectives. A Farkas vector must
// combine the rows into one that cannot hold. A ray must lead from a feasible point to unboundedly lower
// cost. Tolerances are relative to the numbers involved; tests/solver/simplex/exact.h has exact versions for
// arbitration.
#pragma once

#include "solver/simplex/options.h"

namespace nestor::simplex {

struct CertificateReport {
  bool holds = false;
  double primal_violation = 0;  ///< largest, relative to 1 + |bound|
  double dual_violation = 0;    ///< largest, relative to 1 + |cost|
  double gap = 0;               ///< relative to 1 + |objective|
};

CertificateReport check_optimal(const LinearProgram& program, const LpSolution& solution, double tolerance);
CertificateReport check_unbounded(const LinearProgram& program, const LpSolution& solution, double tolerance);
/// True if farkas^T A x = farkas^T (row activities) cannot hold within all bounds.
bool check_infeasible(const LinearProgram& program, const std::vector<double>& farkas);

/// True if the bounds of some column or row cross: the program is infeasible and needs no certificate.
bool has_crossed_bounds(const LinearProgram& program);

}  // namespace nestor::simplex
