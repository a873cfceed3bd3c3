#include "solver/simplex/safe_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace nestor::simplex {
namespace directed {
namespace {

// Returns the next smaller double. A result rounded to nearest is strictly within one step of the exact
// result, so one step is enough. An overflow to infinity becomes the largest finite number, as required.
double step_down(double x) {
  if (std::isnan(x) || x == -infinity) return -infinity;
  if (x == 0) return -std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(x > 0 ? bits - 1 : bits + 1);
}

}  // namespace

double add_down(double a, double b) {
  const double sum = a + b;
  if (a == -infinity || b == -infinity) return -infinity;
  if (a == 0 || b == 0) return sum;
  // The exact error of the sum (Knuth's TwoSum) shows whether the sum was rounded up.
  const double shadow = sum - a;
  const double error = (a - (sum - shadow)) + (b - shadow);
  return error >= 0 && std::isfinite(sum) ? sum : step_down(sum);
}

double add_up(double a, double b) { return -add_down(-a, -b); }

double multiply_down(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  if (std::isinf(a) || std::isinf(b)) return product;
  return step_down(product);
}

double multiply_up(double a, double b) { return -multiply_down(-a, b); }

}  // namespace directed

namespace {

using directed::add_down;
using directed::add_up;
using directed::multiply_down;
using directed::multiply_up;

// Enclosure of a number that a double cannot represent exactly.
struct Enclosure {
  double low;
  double high;
};

// Returns an enclosure of start - sum of entry * multiplier.
Enclosure residual(double start, std::span<const Entry> entries, std::span<const double> multipliers) {
  Enclosure result{start, start};
  for (const Entry& entry : entries) {
    const double multiplier = multipliers[entry.index];
    if (multiplier == 0 || entry.value == 0) continue;
    result.low = add_down(result.low, -multiply_up(entry.value, multiplier));
    result.high = add_up(result.high, -multiply_down(entry.value, multiplier));
  }
  return result;
}

// Returns a lower bound on factor * x for x within `bounds` and any factor in the enclosure.
double least_product(const Enclosure& factor, const Interval& bounds) {
  if (factor.low == 0 && factor.high == 0) return 0;
  // The product is linear in each argument, so its minimum is at a corner. A corner at infinity matters only
  // if the factor may have the corresponding sign.
  double least = infinity;
  for (const double f : {factor.low, factor.high})
    for (const double x : {bounds.lower, bounds.upper}) least = std::min(least, multiply_down(f, x));
  return least;
}

}  // namespace

double safe_dual_bound(const LinearProgram& program, std::span<const double> row_dual) {
  // cost.x = y.(A x) + (cost - A^T y).x; each part is bounded separately.
  double bound = program.offset();
  // A multiplier that is not finite, or whose sign selects a missing row bound, is useless and is set to 0.
  std::vector<double> multipliers(row_dual.begin(), row_dual.end());
  for (Index i = 0; i < program.rows(); ++i) {
    const Interval& range = program.row_bounds(i);
    const double side = multipliers[i] > 0 ? range.lower : range.upper;
    if (!std::isfinite(multipliers[i]) || !std::isfinite(side)) multipliers[i] = 0;
    if (multipliers[i] != 0) bound = add_down(bound, multiply_down(multipliers[i], side));
  }
  for (Index j = 0; j < program.columns(); ++j) {
    const Enclosure price = residual(program.cost(j), program.column(j), multipliers);
    bound = add_down(bound, least_product(price, program.column_bounds(j)));
    if (bound == -infinity) return bound;
  }
  return bound;
}

bool safely_infeasible(const LinearProgram& program, std::span<const double> farkas) {
  if (farkas.size() != program.rows()) return false;
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> multipliers(farkas.begin(), farkas.end());
    for (double& multiplier : multipliers) multiplier *= sign;
    // Every solution satisfies 0 = y.s - (A^T y).x; a positive lower bound on the right side contradicts
    // this.
    double least = 0;
    for (Index i = 0; i < program.rows() && least > -infinity; ++i)
      least = add_down(least, least_product({multipliers[i], multipliers[i]}, program.row_bounds(i)));
    for (Index j = 0; j < program.columns() && least > -infinity; ++j)
      least = add_down(least,
                       least_product(residual(0, program.column(j), multipliers), program.column_bounds(j)));
    if (least > 0) return true;
  }
  return false;
}

}  // namespace nestor::simplex
