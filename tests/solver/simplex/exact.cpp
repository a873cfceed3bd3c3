#include "solver/simplex/exact.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace nestor::simplex {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using Vector = std::vector<Rational>;

// One end of a range: an exact number or an infinity.
struct End {
  int infinite = 0;  // sign of the infinity; 0 if finite
  Rational value = 0;
  void add(const End& other) {
    infinite = infinite != 0 ? infinite : other.infinite;
    value += other.value;
  }
};

class ExactBasis {
 public:
  ExactBasis(const LinearProgram& program, const Basis& basis) : program_(program), basis_(basis) {
    for (Index j = 0; j < total(); ++j)
      if (place(j) == Place::basic) head_.push_back(j);
  }

  bool invert();
  bool is_optimal(double slack, double claimed_objective) const;
  bool proves_infeasible() const;
  bool has_ray(double slack) const;

 private:
  Index columns() const { return program_.columns(); }
  Index total() const { return program_.columns() + program_.rows(); }
  Place place(Index j) const { return j < columns() ? basis_.columns[j] : basis_.rows[j - columns()]; }
  const Interval& bounds(Index j) const {
    return j < columns() ? program_.column_bounds(j) : program_.row_bounds(j - columns());
  }
  Rational cost(Index j) const { return j < columns() ? Rational(program_.cost(j)) : Rational(0); }
  Rational nonbasic_value(Index j) const;
  Rational dot(const Vector& multipliers, Index j) const;
  Vector solve(Index j) const;
  Vector primal_values() const;
  bool within(const Rational& x, const Interval& range, double slack) const;
  bool excludes_zero(const Vector& multipliers) const;
  bool is_feasible(const Vector& x, double slack) const;

  const LinearProgram& program_;
  const Basis& basis_;
  std::vector<Index> head_;
  std::vector<Vector> inverse_;  // row k belongs to head_[k]
};

// Computes the inverse by Gauss-Jordan elimination on [B | I].
bool ExactBasis::invert() {
  const Index size = program_.rows();
  if (head_.size() != size) return false;
  std::vector<Vector> matrix(size, Vector(size));
  inverse_.assign(size, Vector(size));
  for (Index k = 0; k < size; ++k) {
    inverse_[k][k] = 1;
    if (head_[k] >= columns())
      matrix[head_[k] - columns()][k] = -1;
    else
      for (const Entry& entry : program_.column(head_[k])) matrix[entry.index][k] = Rational(entry.value);
  }
  for (Index k = 0; k < size; ++k) {
    Index pivot = k;
    while (pivot < size && matrix[pivot][k] == 0) ++pivot;
    if (pivot == size) return false;
    std::swap(matrix[pivot], matrix[k]);
    std::swap(inverse_[pivot], inverse_[k]);
    const Rational divisor = matrix[k][k];
    for (Index c = 0; c < size; ++c) {
      matrix[k][c] /= divisor;
      inverse_[k][c] /= divisor;
    }
    for (Index r = 0; r < size; ++r) {
      if (r == k || matrix[r][k] == 0) continue;
      const Rational factor = matrix[r][k];
      for (Index c = 0; c < size; ++c) {
        if (matrix[k][c] != 0) matrix[r][c] -= factor * matrix[k][c];
        if (inverse_[k][c] != 0) inverse_[r][c] -= factor * inverse_[k][c];
      }
    }
  }
  return true;
}

Rational ExactBasis::nonbasic_value(Index j) const {
  const Interval& range = bounds(j);
  if (place(j) == Place::at_lower && range.lower > -infinity) return Rational(range.lower);
  if (place(j) == Place::at_upper && range.upper < infinity) return Rational(range.upper);
  return 0;
}

Rational ExactBasis::dot(const Vector& multipliers, Index j) const {
  if (j >= columns()) return -multipliers[j - columns()];
  Rational sum = 0;
  for (const Entry& entry : program_.column(j)) sum += multipliers[entry.index] * Rational(entry.value);
  return sum;
}

// Returns B^-1 times column j. Entry k of the result belongs to head_[k].
Vector ExactBasis::solve(Index j) const {
  Vector result;
  for (const Vector& row : inverse_) result.push_back(dot(row, j));
  return result;
}

Vector ExactBasis::primal_values() const {
  Vector x(total());
  Vector right(program_.rows());
  for (Index j = 0; j < total(); ++j) {
    if (place(j) == Place::basic) continue;
    x[j] = nonbasic_value(j);
    if (x[j] == 0) continue;
    if (j >= columns())
      right[j - columns()] += x[j];
    else
      for (const Entry& entry : program_.column(j)) right[entry.index] -= Rational(entry.value) * x[j];
  }
  for (Index k = 0; k < head_.size(); ++k)
    for (Index i = 0; i < program_.rows(); ++i) x[head_[k]] += inverse_[k][i] * right[i];
  return x;
}

bool ExactBasis::within(const Rational& x, const Interval& range, double slack) const {
  const auto room = [slack](double bound) { return Rational(slack) * (1 + Rational(std::abs(bound))); };
  if (range.lower > -infinity && x < Rational(range.lower) - room(range.lower)) return false;
  return range.upper == infinity || x <= Rational(range.upper) + room(range.upper);
}

bool ExactBasis::is_feasible(const Vector& x, double slack) const {
  for (Index j = 0; j < total(); ++j)
    if (!within(x[j], bounds(j), slack)) return false;
  return true;
}

bool ExactBasis::is_optimal(double slack, double claimed_objective) const {
  const Vector x = primal_values();
  if (!is_feasible(x, slack)) return false;
  Vector duals(program_.rows());
  Rational objective(program_.offset());
  for (Index j = 0; j < columns(); ++j) objective += cost(j) * x[j];
  for (Index k = 0; k < head_.size(); ++k)
    for (Index i = 0; i < program_.rows(); ++i) duals[i] += cost(head_[k]) * inverse_[k][i];
  for (Index j = 0; j < total(); ++j) {
    const Interval& range = bounds(j);
    if (place(j) == Place::basic || range.lower == range.upper) continue;
    const Rational price = cost(j) - dot(duals, j);
    const Rational allowed = Rational(slack) * (1 + abs(cost(j)));
    const bool at_upper = range.upper < infinity && x[j] == Rational(range.upper);
    const bool at_lower = range.lower > -infinity && x[j] == Rational(range.lower);
    if (price < -allowed && !at_upper) return false;
    if (price > allowed && !at_lower) return false;
  }
  const Rational error = abs(objective - Rational(claimed_objective));
  return error <= Rational(1e-7) * (1 + abs(objective));
}

// Combines the rows and their ranges with the multipliers. True if the combined row must be zero but its
// range excludes zero.
bool ExactBasis::excludes_zero(const Vector& multipliers) const {
  End low;
  End high;
  for (Index j = 0; j < total(); ++j) {
    const Rational factor = dot(multipliers, j);
    if (factor == 0) continue;
    const auto end = [&factor](double bound) {
      if (std::isfinite(bound)) return End{0, factor * Rational(bound)};
      return End{(bound > 0) == (factor > 0) ? 1 : -1, 0};
    };
    low.add(end(factor > 0 ? bounds(j).lower : bounds(j).upper));
    high.add(end(factor > 0 ? bounds(j).upper : bounds(j).lower));
  }
  return (low.infinite == 0 && low.value > 0) || (high.infinite == 0 && high.value < 0);
}

bool ExactBasis::proves_infeasible() const {
  for (const Vector& row : inverse_)
    if (excludes_zero(row)) return true;
  return false;
}

bool ExactBasis::has_ray(double slack) const {
  if (!is_feasible(primal_values(), slack)) return false;
  for (Index entering = 0; entering < total(); ++entering) {
    if (place(entering) == Place::basic) continue;
    const Vector direction = solve(entering);
    for (const int sign : {1, -1}) {
      const auto blocked = [&](Index j, const Rational& change) {
        return (change > 0 && bounds(j).upper < infinity) || (change < 0 && bounds(j).lower > -infinity);
      };
      bool free = !blocked(entering, sign);
      Rational slope = sign * cost(entering);
      for (Index k = 0; k < head_.size() && free; ++k) {
        const Rational change = -sign * direction[k];
        free = !blocked(head_[k], change);
        slope += change * cost(head_[k]);
      }
      if (free && slope < 0) return true;
    }
  }
  return false;
}

bool crossed(const LinearProgram& program) {
  for (Index j = 0; j < program.columns(); ++j)
    if (program.column_bounds(j).lower > program.column_bounds(j).upper) return true;
  for (Index i = 0; i < program.rows(); ++i)
    if (program.row_bounds(i).lower > program.row_bounds(i).upper) return true;
  return false;
}

}  // namespace

bool exact_check_holds(const LinearProgram& program, const LpSolution& solution, const Basis& basis,
                       double slack) {
  if (solution.status == LpStatus::infeasible && crossed(program)) return true;
  ExactBasis exact(program, basis);
  if (!exact.invert()) return false;
  switch (solution.status) {
    case LpStatus::optimal:
      return exact.is_optimal(slack, solution.objective);
    case LpStatus::infeasible:
      return exact.proves_infeasible();
    case LpStatus::unbounded:
      return exact.has_ray(slack);
    default:
      return false;
  }
}

}  // namespace nestor::simplex
