#include "solver/simplex/certificate.h"

#include <algorithm>
#include <cmath>

namespace nestor::simplex {
namespace {

// Possible rounding error of a sum of products, relative to the sum of its terms' absolute values.
constexpr double rounding = 1e-13;
// Coefficients of a combined row (or of a ray) that are smaller than this, relative to the cancelled terms,
// are treated as zero.
constexpr double cancellation = 1e-9;

// A compensated sum (Neumaier 1974), with the sum of its terms' absolute values.
struct Sum {
  double high = 0;
  double low = 0;
  double size = 0;
  void add(double term) {
    const double sum = high + term;
    low += std::abs(high) >= std::abs(term) ? (high - sum) + term : (term - sum) + high;
    high = sum;
    size += std::abs(term);
  }
  double value() const { return high + low; }
};

// Returns the violation of bounds beyond possible rounding, relative to 1 + |bound|.
double violation(double x, const Interval& bounds, double size) {
  const double allowed = rounding * size;
  if (x < bounds.lower) return std::max(0.0, bounds.lower - x - allowed) / (1 + std::abs(bounds.lower));
  if (x > bounds.upper) return std::max(0.0, x - bounds.upper - allowed) / (1 + std::abs(bounds.upper));
  return 0;
}

std::vector<Sum> row_sums(const LinearProgram& program, const std::vector<double>& x) {
  std::vector<Sum> sums(program.rows());
  for (Index j = 0; j < program.columns(); ++j)
    if (x[j] != 0)
      for (const Entry& entry : program.column(j)) sums[entry.index].add(entry.value * x[j]);
  return sums;
}

Sum combined(std::span<const Entry> column, const std::vector<double>& multipliers) {
  Sum sum;
  for (const Entry& entry : column)
    if (multipliers[entry.index] != 0) sum.add(entry.value * multipliers[entry.index]);
  return sum;
}

double primal_violation(const LinearProgram& program, const std::vector<double>& x) {
  double worst = 0;
  for (Index j = 0; j < program.columns(); ++j)
    worst = std::max(worst, violation(x[j], program.column_bounds(j), 0));
  const auto sums = row_sums(program, x);
  for (Index i = 0; i < program.rows(); ++i)
    worst = std::max(worst, violation(sums[i].value(), program.row_bounds(i), sums[i].size));
  return worst;
}

// Returns `price` times the bound that its sign selects. If this bound is missing, records a violation and
// returns 0.
double dual_term(double price, const Interval& bounds, double scale, double allowed, double& worst) {
  if (price == 0) return 0;
  const double bound = price > 0 ? bounds.lower : bounds.upper;
  if (std::isfinite(bound)) return price * bound;
  worst = std::max(worst, std::max(0.0, std::abs(price) - allowed) / scale);
  return 0;
}

}  // namespace

CertificateReport check_optimal(const LinearProgram& program, const LpSolution& solution, double tolerance) {
  CertificateReport report;
  report.primal_violation = primal_violation(program, solution.x);
  Sum primal;
  Sum dual;
  primal.add(program.offset());
  dual.add(program.offset());
  for (Index j = 0; j < program.columns(); ++j) {
    primal.add(program.cost(j) * solution.x[j]);
    Sum price = combined(program.column(j), solution.row_dual);
    for (double* part : {&price.high, &price.low}) *part = -*part;
    price.add(program.cost(j));
    dual.add(dual_term(price.value(), program.column_bounds(j), 1 + std::abs(program.cost(j)),
                       rounding * price.size, report.dual_violation));
  }
  for (Index i = 0; i < program.rows(); ++i)
    dual.add(dual_term(solution.row_dual[i], program.row_bounds(i), 1, 0, report.dual_violation));
  const double objective = primal.value();
  const double allowed = rounding * (primal.size + dual.size);
  report.gap = std::max(0.0, std::abs(objective - dual.value()) - allowed) / (1 + std::abs(objective));
  report.holds = report.primal_violation <= tolerance && report.dual_violation <= tolerance &&
                 report.gap <= tolerance && std::isfinite(objective);
  return report;
}

CertificateReport check_unbounded(const LinearProgram& program, const LpSolution& solution,
                                  double tolerance) {
  CertificateReport report;
  report.primal_violation = primal_violation(program, solution.x);
  const auto& ray = solution.ray;
  double largest = 0;
  for (const double component : ray) largest = std::max(largest, std::abs(component));
  if (!(largest > 0) || !std::isfinite(largest)) return report;
  const auto leaves = [](double change, double allowed, const Interval& bounds) {
    return (change > allowed && bounds.upper < infinity) || (change < -allowed && bounds.lower > -infinity);
  };
  bool recession = true;
  Sum cost;
  for (Index j = 0; j < program.columns(); ++j) {
    recession &= !leaves(ray[j], 0, program.column_bounds(j));
    cost.add(program.cost(j) * ray[j]);
  }
  const auto sums = row_sums(program, ray);
  for (Index i = 0; i < program.rows(); ++i)
    recession &= !leaves(sums[i].value(), cancellation * sums[i].size, program.row_bounds(i));
  report.holds =
      recession && cost.value() < -cancellation * cost.size && report.primal_violation <= tolerance;
  return report;
}

bool check_infeasible(const LinearProgram& program, const std::vector<double>& farkas) {
  if (farkas.size() != program.rows()) return false;
  // Range of sum_j g_j x_j - sum_i farkas_i s_i within all bounds. For a solution, this sum is 0.
  Sum lowest;
  Sum highest;
  const auto include = [&](double factor, const Interval& bounds) {
    if (factor == 0) return;
    lowest.add(factor * (factor > 0 ? bounds.lower : bounds.upper));
    highest.add(factor * (factor > 0 ? bounds.upper : bounds.lower));
  };
  for (Index j = 0; j < program.columns(); ++j) {
    const Sum factor = combined(program.column(j), farkas);
    if (std::abs(factor.value()) > cancellation * factor.size)
      include(factor.value(), program.column_bounds(j));
  }
  for (Index i = 0; i < program.rows(); ++i) include(-farkas[i], program.row_bounds(i));
  const auto excludes = [](double sign, const Sum& end) {
    return std::isfinite(end.size) && sign * end.value() > cancellation * end.size;
  };
  return excludes(1, lowest) || excludes(-1, highest);
}

bool has_crossed_bounds(const LinearProgram& program) {
  const auto crossed = [](const Interval& bounds) {
    return bounds.lower > bounds.upper || bounds.lower == infinity || bounds.upper == -infinity;
  };
  for (Index j = 0; j < program.columns(); ++j)
    if (crossed(program.column_bounds(j))) return true;
  for (Index i = 0; i < program.rows(); ++i)
    if (crossed(program.row_bounds(i))) return true;
  return false;
}

}  // namespace nestor::simplex
