// Tests on hand-made programs on which simplex solvers have failed: classic cycling examples, exponential
// cubes, near-parallel and dependent rows, extreme scales, empty and contradictory programs. The dual and the
// primal simplex solve each program, and every claim is proved in exact arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <initializer_list>

#include "solver/simplex/comparison.h"
#include "solver/simplex/generators.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex::hard_cases_test {
namespace {

using Dense = std::initializer_list<double>;
constexpr Interval nonnegative{0, infinity};
constexpr Interval unrestricted{-infinity, infinity};

LinearProgram with_costs(Dense costs, Interval bounds = nonnegative) {
  LinearProgram program;
  for (const double cost : costs) program.add_column(cost, bounds);
  return program;
}

void add_row(LinearProgram& program, Interval bounds, Dense coefficients) {
  std::vector<Entry> entries;
  Index column = 0;
  for (const double coefficient : coefficients) entries.push_back({column++, coefficient});
  program.add_row(bounds, entries);
}
Interval at_most(double bound) { return {-infinity, bound}; }
Interval at_least(double bound) { return {bound, infinity}; }
Interval equal_to(double bound) { return {bound, bound}; }

LinearProgram beale() {
  auto program = with_costs({-0.75, 20, -0.5, 6});
  add_row(program, at_most(0), {0.25, -8, -1, 9});
  add_row(program, at_most(0), {0.5, -12, -0.5, 3});
  add_row(program, at_most(1), {0, 0, 1, 0});
  return program;
}

LinearProgram kuhn() {
  auto program = with_costs({-2, -3, 1, 12});
  add_row(program, at_most(0), {-2, -9, 1, 9});
  add_row(program, at_most(0), {1.0 / 3, 1, -1.0 / 3, -2});
  add_row(program, at_most(2), {2, 3, -1, -12});
  return program;
}

LinearProgram marshall_suurballe() {
  auto program = with_costs({-0.4, -0.4, 1.8});
  add_row(program, at_most(0), {0.6, -6.4, 4.8});
  add_row(program, at_most(0), {0.2, -1.8, 0.6});
  add_row(program, at_most(0), {0.4, -1.6, 0.2});
  add_row(program, at_most(1), {0, 1, 0});
  return program;
}

LinearProgram chvatal() {
  auto program = with_costs({-10, 57, 9, 24});
  add_row(program, at_most(0), {0.5, -5.5, -2.5, 9});
  add_row(program, at_most(0), {0.5, -1.5, -0.5, 1});
  add_row(program, at_most(1), {1, 0, 0, 0});
  return program;
}

LinearProgram hall_mckinnon() {
  auto program = with_costs({-2.3, -2.15, 13.55, 0.4});
  add_row(program, at_most(0), {0.4, 0.2, -1.4, -0.2});
  add_row(program, at_most(0), {-7.8, -1.4, 7.8, 0.4});
  return program;
}

LinearProgram hall_mckinnon_boxed() {
  auto program = hall_mckinnon();
  add_row(program, at_most(1), {1, 0, 0, 0});
  add_row(program, at_most(1), {0, 1, 0, 0});
  return program;
}

// Returns Hoffman's cycling example with an angle of a fifth of a full circle.
LinearProgram hoffman() {
  const double angle = 2 * std::acos(-1.0) / 5;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double w = (1 - c) / (1 - std::cos(2 * angle)) + 0.1;
  auto program = with_costs(
      {(1 - c) / c, -w, 0, 2 * w, 4 * s * s, -2 * std::cos(2 * angle), 4 * s * s, w * (1 - 2 * c)});
  add_row(program, equal_to(0),
          {c, -w * c, std::cos(2 * angle), -2 * w * c * c, std::cos(2 * angle), 2 * w * c * c, c, w * c});
  add_row(program, at_most(0),
          {s * std::tan(angle) / w, c, std::tan(angle) * std::sin(2 * angle) / w, std::cos(2 * angle),
           -2 * s * s / w, std::cos(2 * angle), -2 * s * s / w, c});
  add_row(program, at_most(1), {1, 1, 1, 1, 1, 1, 1, 1});
  return program;
}

LinearProgram near_parallel(double angle) {
  auto program = with_costs({-1, -1});
  add_row(program, at_most(1), {1, 1});
  add_row(program, at_most(1), {1 + angle, 1});
  add_row(program, at_most(1), {1, 1 + angle});
  return program;
}

LinearProgram near_parallel_equalities() {
  auto program = with_costs({1, 2, 0}, unrestricted);
  add_row(program, equal_to(2), {1, 1, 1});
  add_row(program, equal_to(2 + 0x1p-20), {1, 1 + 0x1p-20, 1});
  add_row(program, {-3, 4}, {0, 0, 1});
  add_row(program, at_most(3), {1, 0, 1});
  return program;
}

LinearProgram hilbert(Index size) {
  LinearProgram program;
  for (Index j = 0; j < size; ++j) program.add_column(1.0 / (j + 2) + 1.0 / (size + j), nonnegative);
  for (Index i = 0; i < size; ++i) {
    std::vector<Entry> entries;
    double sum = 0;
    for (Index j = 0; j < size; ++j) {
      entries.push_back({j, 1.0 / (i + j + 1)});
      sum += 1.0 / (i + j + 1);
    }
    program.add_row(at_least(sum), entries);
  }
  return program;
}

LinearProgram assignment(Index size) {
  auto program = transport_program(size, size, 3);
  for (Index i = 0; i < program.rows(); ++i)
    program.set_row_bounds(i, i < size ? Interval{-infinity, 1} : Interval{1, infinity});
  return program;
}

LinearProgram redundant_equalities() {
  auto program = with_costs({1, 1, 1});
  for (const double factor : {1.0, 2.0, -1.0, 0.5, 4.0})
    add_row(program, equal_to(3 * factor), {factor, factor, 2 * factor});
  return program;
}

LinearProgram contradictory_equalities() {
  auto program = redundant_equalities();
  add_row(program, equal_to(3 + 0x1p-14), {1, 1, 2});
  return program;
}

LinearProgram extreme_scales() {
  auto program = with_costs({0x1p30, 0x1p-30, 1});
  add_row(program, at_least(0x1p20), {0x1p40, 0, 0x1p20});
  add_row(program, at_least(0x1p-20), {0, 0x1p-40, 0x1p-20});
  add_row(program, at_most(0x1p10), {1, 0x1p-30, 1});
  return program;
}

LinearProgram big_m() {
  auto program = with_costs({-1, 1000});
  program.set_column_bounds(1, {0, 1});
  add_row(program, at_most(0), {1, -1e7});
  add_row(program, at_most(50), {1, 0});
  return program;
}

LinearProgram huge_boxes() {
  auto program = with_costs({1, -1, 1}, {-1e9, 1e9});
  add_row(program, at_least(-1e9), {1, 1, 1});
  add_row(program, at_most(5), {-1, 1, 0});
  return program;
}

LinearProgram free_and_tight() {
  auto program = with_costs({1, -1, 0, 2}, unrestricted);
  add_row(program, equal_to(4), {1, 1, 0, 0});
  add_row(program, equal_to(2), {0, 1, 1, 0});
  add_row(program, equal_to(1), {0, 0, 1, 1});
  add_row(program, at_least(-7), {1, 0, 0, 1});
  add_row(program, at_most(9), {0, 1, 0, -1});
  return program;
}

LinearProgram unbounded_in_the_dark() {
  auto program = with_costs({0, 0, -1});
  add_row(program, at_most(0), {1, -1, 0});
  add_row(program, equal_to(0), {-1, 0, 1});
  return program;
}

LinearProgram infeasible_and_dual_infeasible() {
  auto program = with_costs({-1, -1});
  add_row(program, at_most(-1), {1, -1});
  add_row(program, at_most(-1), {-1, 1});
  return program;
}

LinearProgram no_rows() {
  LinearProgram program;
  program.add_column(1, {2, 9});
  program.add_column(-1, {-infinity, 7});
  program.add_column(0, unrestricted);
  program.set_offset(0.5);
  return program;
}

LinearProgram no_columns(Interval row) {
  LinearProgram program;
  program.add_row(row);
  return program;
}

LinearProgram all_fixed(double right) {
  auto program = with_costs({1, 2, 3}, {1, 1});
  add_row(program, equal_to(right), {1, 2, 3});
  return program;
}

LinearProgram empty_row_that_fails() {
  auto program = with_costs({1});
  add_row(program, at_most(5), {1});
  add_row(program, at_least(1), {0});
  return program;
}

LinearProgram crossed_bounds() {
  auto program = with_costs({1, 1});
  program.set_column_bounds(1, {3, 2});
  return program;
}

LinearProgram every_vertex_degenerate() {
  auto program = with_costs({-1, -1, -1});
  for (const double a : {1.0, 2.0, 3.0})
    for (const double b : {1.0, 2.0, 3.0}) add_row(program, at_most(0), {a, b, -a - b});
  add_row(program, at_most(10), {1, 1, 1});
  return program;
}

struct HardCase {
  const char* name;
  LinearProgram program;
  LpStatus status;
  double objective = NAN;  // optimum, if known by hand; exact arithmetic checks all others
};

std::vector<HardCase> hard_cases() {
  constexpr auto optimal = LpStatus::optimal;
  constexpr auto infeasible = LpStatus::infeasible;
  constexpr auto unbounded = LpStatus::unbounded;
  return {{"Beale 1955", beale(), optimal, -1.25},
          {"Kuhn", kuhn(), optimal, -2},
          {"Marshall and Suurballe 1969", marshall_suurballe(), optimal, -2},
          {"Chvatal 1983", chvatal(), optimal, -1},
          {"Hall and McKinnon 2004", hall_mckinnon(), unbounded},
          {"Hall and McKinnon, boxed", hall_mckinnon_boxed(), optimal},
          {"Hoffman 1953", hoffman(), optimal},
          {"Klee-Minty 3", klee_minty_program(3), optimal, -125},
          {"Klee-Minty 12", klee_minty_program(12), optimal, -std::pow(5.0, 12)},
          {"Klee-Minty 16", klee_minty_program(16), optimal, -std::pow(5.0, 16)},
          {"near-parallel rows 2^-10", near_parallel(0x1p-10), optimal, -1 / (1 + 0x1p-11)},
          {"near-parallel rows 2^-24", near_parallel(0x1p-24), optimal, -1 / (1 + 0x1p-25)},
          {"near-parallel equalities", near_parallel_equalities(), optimal, -1},
          {"Hilbert 5", hilbert(5), optimal},
          {"Hilbert 8", hilbert(8), optimal},
          {"assignment 8 x 8", assignment(8), optimal},
          {"redundant equalities", redundant_equalities(), optimal, 1.5},
          {"contradiction by 2^-14", contradictory_equalities(), infeasible},
          {"scales from 2^-40 to 2^40", extreme_scales(), optimal},
          {"big M", big_m(), optimal, -50 + 0.005},
          {"boxes of 1e9", huge_boxes(), optimal, -1e9 - 5},
          {"free variables", free_and_tight(), optimal},
          {"unbounded along equal rows", unbounded_in_the_dark(), unbounded},
          {"primal and dual infeasible", infeasible_and_dual_infeasible(), infeasible},
          {"no rows", no_rows(), optimal, 0.5 + 2 - 7},
          {"no columns, row holds", no_columns({-1, 0}), optimal, 0},
          {"no columns, row fails", no_columns({1, 2}), infeasible},
          {"all fixed, row holds", all_fixed(6), optimal, 6},
          {"all fixed, row fails", all_fixed(7), infeasible},
          {"empty row fails", empty_row_that_fails(), infeasible},
          {"crossed bounds", crossed_bounds(), infeasible},
          {"degenerate at the origin", every_vertex_degenerate(), optimal, -10}};
}

TEST(HardCases, AreSolvedByBothAlgorithmsAndProvedExactly) {
  for (const HardCase& hard : hard_cases())
    for (const SimplexMethod method : {SimplexMethod::dual, SimplexMethod::primal}) {
      SCOPED_TRACE(std::string(hard.name) + (method == SimplexMethod::dual ? ", dual" : ", primal"));
      SimplexOptions options;
      options.method = method;
      Simplex simplex(hard.program, options);
      EXPECT_STREQ(to_string(simplex.solve()), to_string(hard.status));
      EXPECT_LT(simplex.solution().iterations, 500U);
      if (!std::isnan(hard.objective)) {
        EXPECT_NEAR(simplex.solution().objective, hard.objective, 1e-8 * (1 + std::abs(hard.objective)));
      }
      EXPECT_TRUE(exact_arithmetic_confirms(simplex));
    }
}

}  // namespace
}  // namespace nestor::simplex::hard_cases_test
