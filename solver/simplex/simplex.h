// The bundled simplex solver. It solves a LinearProgram; the caller may then change the program and solve it
// again. Each solve starts from the final basis of the previous solve.
//
//     Simplex simplex(program);
//     if (simplex.solve() == LpStatus::optimal) use(simplex.solution().x);
//     simplex.set_column_bounds(3, {1, 1});
//     simplex.solve();                       // usually a few dual pivots
//
// Every solution is checked (certificate.h). If the check fails, the solve is repeated with more careful
// settings; if all attempts fail, the status is numerical_trouble. Runs are deterministic.
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
  /// Sets the starting basis of the next solve. A basis of any size and content is accepted, and repaired if
  /// necessary.
  void set_basis(const Basis& basis);

  LpStatus solve();
  const LpSolution& solution() const;

 private:
  class Driver;
  std::unique_ptr<Driver> driver_;
};

}  // namespace nestor::simplex
