// Options and statuses of the simplex.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

enum class SimplexMethod : std::uint8_t { dual, primal };

enum class LpStatus : std::uint8_t {
  optimal,
  infeasible,         ///< with a Farkas certificate, or a variable or row whose bounds cross
  unbounded,          ///< with a feasible point and a ray
  iteration_limit,    ///< or stopped; duals of the last basis; safe_dual_bound makes a valid bound of them
  numerical_trouble,  ///< no answer whose certificate holds was found
};

constexpr const char* to_string(LpStatus status) {
  switch (status) {
    case LpStatus::optimal:
      return "optimal";
    case LpStatus::infeasible:
      return "infeasible";
    case LpStatus::unbounded:
      return "unbounded";
    case LpStatus::iteration_limit:
      return "iteration_limit";
    case LpStatus::numerical_trouble:
      return "numerical_trouble";
  }
  return "?";
}

struct SimplexOptions {
  SimplexMethod method = SimplexMethod::dual;
  std::uint64_t iteration_limit = UINT64_MAX;
  const StopSignal* stop = nullptr;  ///< ends a solve like the iteration limit
  bool scale = true;
  std::uint64_t seed = 1;  ///< of the perturbations; the same seed gives the same pivots everywhere

  double primal_tolerance = 1e-9;       ///< on scaled bounds, relative to 1 + |bound|
  double dual_tolerance = 1e-9;         ///< on scaled reduced costs
  double certificate_tolerance = 1e-7;  ///< on the unscaled answer, relative (certificate.h)
};

/// Where a variable (column, or row activity) stands relative to the basis.
enum class Place : std::uint8_t { at_lower, at_upper, at_zero, basic };

/// Enough to start again from where a solve ended.
struct Basis {
  std::vector<Place> columns;
  std::vector<Place> rows;
};

struct LpSolution {
  LpStatus status = LpStatus::numerical_trouble;
  double objective = 0;              ///< cost . x + offset at `x`
  std::vector<double> x;             ///< one per column
  std::vector<double> row_activity;  ///< A x
  std::vector<double> row_dual;      ///< >= 0 pushes at a lower bound, <= 0 at an upper bound
  std::vector<double> reduced_cost;  ///< cost - A^T row_dual
  std::vector<double> ray;           ///< unbounded: direction in x of ever lower cost
  std::vector<double> farkas;        ///< infeasible: row multipliers whose combined row cannot hold
  std::uint64_t iterations = 0;      ///< pivots and bound flips of the last solve
};

}  // namespace nestor::simplex
