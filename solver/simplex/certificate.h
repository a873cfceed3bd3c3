// The last check before an answer leaves the solver, in the caller's own numbers and from the program alone:
// it trusts neither basis nor factors. An optimal pair must be primal and dual feasible with equal
// objectives, a Farkas vector must combine the rows into one that cannot hold, a ray must lead from a
// feasible point to ever lower cost. Tolerances are relative to the numbers involved; the exact versions, for
// arbitration, are in exact.h.
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
/// farkas^T A x = farkas^T (row activities) cannot hold within all bounds.
bool check_infeasible(const LinearProgram& program, const std::vector<double>& farkas);

/// A column or row whose bounds cross: infeasible without any certificate.
bool has_crossed_bounds(const LinearProgram& program);

}  // namespace nestor::simplex
