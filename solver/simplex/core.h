// Common state of the dual and the primal simplex: the scaled program, the current basis with its factors,
// and the corresponding primal and dual values.
//
// Every row gets a logical variable equal to its activity, so the program becomes
//
//     minimise cost . z   subject to   [A | -I] z = 0,  lower <= z <= upper
//
// Variables 0..columns-1 are the columns and columns..total-1 are the row activities. The reduced cost of a
// logical is the dual value of its row. Positions in the basis are rows: head[r] is the variable pivoted in
// row r.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "solver/simplex/factorization.h"
#include "solver/simplex/options.h"

namespace nestor::simplex {

/// Ratio tests treat elements of a direction or row that are smaller than this as 0.
inline constexpr double zero_tolerance = 1e-9;
inline constexpr double small_pivot = 1e-7;  ///< least pivot, unless the factors are fresh

class Core {
 public:
  // -- Program, in scaled units --------------------------------------------------------------------------
  Index columns = 0;
  Index rows = 0;
  Index total = 0;
  std::vector<double> lower, upper;  ///< working bounds, which the primal simplex may widen
  std::vector<double> cost;          ///< working costs, which the dual simplex may shift
  std::vector<double> true_lower, true_upper, true_cost;
  std::vector<double> unit;  ///< true value of variable j = unit[j] * scaled value (powers of two)
  double cost_unit = 1;      ///< true cost of variable j = scaled cost * cost_unit / unit[j]

  // -- Basis ---------------------------------------------------------------------------------------------
  std::vector<Place> place;         ///< of each variable
  std::vector<Index> head;          ///< basic variable of each row
  std::vector<double> value;        ///< of each variable
  std::vector<double> reduced;      ///< reduced cost of each variable; 0 for basic variables
  std::vector<double> dual_weight;  ///< squared norm of each row of the basis inverse (dual steepest edge)
  Factorization factors;

  // -- Settings of an attempt (simplex.cpp) --------------------------------------------------------------
  double primal_tolerance = 1e-9;
  double dual_tolerance = 1e-9;
  double threshold = 0.1;         ///< pivot threshold of the factorization
  std::size_t update_limit = 64;  ///< maximum number of pivots between factorizations
  Random random{1};
  std::uint64_t iterations = 0;
  std::uint64_t iteration_limit = UINT64_MAX;
  const StopSignal* stop = nullptr;
  bool must_end() const { return iterations >= iteration_limit || is_requested(stop); }

  /// Loads the program without a basis, and scales it if requested.
  void load(const LinearProgram& program, bool scale);
  /// Load changed bounds or costs, keeping scale factors, basis and factors.
  void reload_bounds(const LinearProgram& program);
  void reload_costs(const LinearProgram& program);

  void set_slack_basis();
  /// Sets the basis. Surplus or dependent basic variables are replaced, and missing basic variables are
  /// added.
  void set_basis(const std::vector<Place>& places);

  /// Factors the basis again and recomputes primal and dual values.
  void refactor();
  void refactor_if_long();
  bool is_fresh() const { return factors.updates() == 0; }

  void compute_primals();
  void compute_duals();
  /// Performs one step of iterative refinement of the primal and dual values, for the final solution.
  void refine();
  /// Remove all shifts of costs or bounds; return true if there were any.
  bool restore_costs();
  bool restore_bounds();

  std::span<const Entry> column(Index variable) const;
  std::span<const Entry> row(Index r) const { return span_of(row_start_, row_entries_, r); }
  /// v := B^-1 (column of `variable`).
  void forward_column(Index variable, SparseVector& v);
  /// v := row r of B^-1 (as a vector over rows).
  void backward_unit(Index r, SparseVector& v);
  /// result := multipliers^T [A | -I] over nonbasic variables (entries of basic variables may contain
  /// rounding noise).
  void price(const SparseVector& multipliers, SparseVector& result) const;

  bool is_fixed(Index variable) const { return lower[variable] == upper[variable]; }
  bool is_boxed(Index variable) const { return lower[variable] > -infinity && upper[variable] < infinity; }
  bool is_free(Index variable) const { return lower[variable] == -infinity && upper[variable] == infinity; }
  /// Returns the distance below the lower bound (negative) or above the upper bound (positive), or 0 within
  /// the tolerance.
  double violation(Index variable) const;
  double primal_infeasibility() const;
  /// Returns the magnitude of a nonbasic variable's reduced cost if it has the wrong sign, or 0.
  double dual_violation(Index variable) const;
  /// Sets a nonbasic variable to the value that its place implies. A place that its bounds do not allow is
  /// corrected.
  void set_nonbasic(Index variable);
  /// Replaces the basic variable of row r by `entering`. The caller updates values and reduced costs.
  void exchange(Index r, Index entering, Place leaving_place, const SparseVector& direction);

 private:
  static std::span<const Entry> span_of(const std::vector<std::size_t>& start,
                                        const std::vector<Entry>& entries, Index i) {
    return {entries.data() + start[i], start[i + 1] - start[i]};
  }
  void complete_head();

  std::vector<std::size_t> column_start_, row_start_;
  std::vector<Entry> column_entries_, row_entries_, logical_entries_;
  std::vector<std::span<const Entry>> basis_columns_;
  std::vector<double> weight_of_variable_;
  std::vector<Index> old_head_;
  SparseVector work_;
};

}  // namespace nestor::simplex
