// Options, statuses, bases and solutions of the simplex.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop_signal.h"
#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

enum class SimplexMethod : std::uint8_t { dual, primal };

enum class LpStatus : std::uint8_t {
  optimal,
  infeasible,         ///< with a Farkas certificate, or because the bounds of a column or row cross
  unbounded,          ///< with a feasible point and a ray
  iteration_limit,    ///< also after a stop; safe_dual_bound() gives a bound from the duals of the last basis
  numerical_trouble,  ///< no answer with a valid certificate was found
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
  const StopSignal* stop = nullptr;  ///< stops a solve in the same way as the iteration limit
  bool scale = true;
  std::uint64_t seed = 1;  ///< seed of the perturbations; the same seed gives the same pivots on all machines

  double primal_tolerance = 1e-9;       ///< on scaled bounds, relative to 1 + |bound|
  double dual_tolerance = 1e-9;         ///< on scaled reduced costs, absolute
  double certificate_tolerance = 1e-7;  ///< on the unscaled solution, relative (certificate.h)
};

/// State of a variable (column or row activity): basic, or nonbasic at a bound or at zero.
enum class Place : std::uint8_t { at_lower, at_upper, at_zero, basic };

/// The data needed to restart from the end of a solve.
struct Basis {
  std::vector<Place> columns;
  std::vector<Place> rows;
};

struct LpSolution {
  LpStatus status = LpStatus::numerical_trouble;
  double objective = 0;              ///< offset + cost . x
  std::vector<double> x;             ///< one per column
  std::vector<double> row_activity;  ///< A x
  std::vector<double> row_dual;      ///< >= 0 if a lower bound is active, <= 0 if an upper bound is active
  std::vector<double> reduced_cost;  ///< cost - A^T row_dual
  /// If unbounded: a direction in x along which the cost decreases without limit.
  std::vector<double> ray;
  /// If infeasible: row multipliers that combine the rows into a contradiction.
  std::vector<double> farkas;
  std::uint64_t iterations = 0;  ///< pivots and bound flips of the last solve
};

}  // namespace nestor::simplex
