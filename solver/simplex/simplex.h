// The bundled simplex. Give it a LinearProgram, solve, change bounds, costs or rows, solve again: each solve
// starts from the basis where the last one ended.
//
//     Simplex simplex(program);
//     if (simplex.solve() == LpStatus::optimal) use(simplex.solution().x);
//     simplex.set_column_bounds(3, {1, 1});
//     simplex.solve();                       // usually a few dual pivots
//
// No answer leaves unchecked (certificate.h): if its certificate fails, the solve is repeated with stricter
// numerics, and in the end numerical_trouble is the honest answer. Runs are deterministic.
#pragma once

#include <memory>

#include "solver/simplex/options.h"

namespace nestor::simplex {

class Simplex {
 public:
  explicit Simplex(LinearProgram program, SimplexOptions options = {});
  Simplex(Simplex&&) noexcept;
  Simplex& operator=(Simplex&&) noexcept;
  ~Simplex();

  const LinearProgram& program() const;
  SimplexOptions& options();

  void set_column_bounds(Index column, Interval bounds);
  void set_row_bounds(Index row, Interval bounds);
  void set_cost(Index column, double cost);
  Index add_column(double cost, Interval bounds, std::span<const Entry> entries);
  Index add_row(Interval bounds, std::span<const Entry> entries);
  void set_row(Index row, std::span<const Entry> entries);
  void truncate_rows(Index count);

  Basis basis() const;
  /// Starts the next solve from there. Any size and content is accepted and repaired.
  void set_basis(const Basis& basis);

  LpStatus solve();
  const LpSolution& solution() const;

 private:
  class Driver;
  std::unique_ptr<Driver> driver_;
};

}  // namespace nestor::simplex
