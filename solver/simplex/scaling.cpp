#include "solver/simplex/scaling.h"

#include <algorithm>
#include <cmath>

namespace nestor::simplex {
namespace {

constexpr int sweeps = 6;
// Programs whose coefficients are all within this ratio of 1 are not scaled.
constexpr double good_range = 8;

struct Range {
  double smallest = infinity;
  double largest = 0;
  void include(double size) {
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  double factor() const { return largest == 0 ? 1 : 1 / std::sqrt(smallest * largest); }
};

bool well_scaled(const LinearProgram& program) {
  for (Index j = 0; j < program.columns(); ++j)
    for (const Entry& entry : program.column(j))
      if (std::abs(entry.value) > good_range || std::abs(entry.value) * good_range < 1) return false;
  return true;
}

void sweep_rows(const LinearProgram& program, Scaling& scaling) {
  std::vector<Range> ranges(program.rows());
  for (Index j = 0; j < program.columns(); ++j)
    for (const Entry& entry : program.column(j))
      ranges[entry.index].include(std::abs(entry.value) * scaling.column[j]);
  for (Index i = 0; i < program.rows(); ++i) scaling.row[i] = ranges[i].factor();
}

void sweep_columns(const LinearProgram& program, Scaling& scaling) {
  for (Index j = 0; j < program.columns(); ++j) {
    Range range;
    for (const Entry& entry : program.column(j))
      range.include(std::abs(entry.value) * scaling.row[entry.index]);
    scaling.column[j] = range.factor();
  }
}

}  // namespace

double power_of_two_near(double positive) {
  int exponent = 0;
  const double fraction = std::frexp(positive, &exponent);
  return std::ldexp(1.0, fraction < 0.70710678118654752 ? exponent - 1 : exponent);
}

Scaling geometric_scaling(const LinearProgram& program) {
  Scaling scaling{std::vector<double>(program.rows(), 1.0), std::vector<double>(program.columns(), 1.0)};
  if (well_scaled(program)) return scaling;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    sweep_rows(program, scaling);
    sweep_columns(program, scaling);
  }
  for (double& factor : scaling.row) factor = power_of_two_near(factor);
  for (double& factor : scaling.column) factor = power_of_two_near(factor);
  return scaling;
}

}  // namespace nestor::simplex
