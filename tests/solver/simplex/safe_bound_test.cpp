// Tests of bounds that rounding cannot invalidate. Directed arithmetic, the dual bound and proofs of
// infeasibility are compared with exact arithmetic.
#include "solver/simplex/safe_bound.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "solver/simplex/generators.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex::safe_bound_test {
namespace {

using Rational = boost::multiprecision::cpp_rational;

double awkward_double(Random& random) {
  const double mantissa = 1 + random.unit();
  const int exponent = static_cast<int>(random.between(-60, 60));
  return std::ldexp(random.chance(0.5) ? mantissa : -mantissa, exponent);
}

TEST(DirectedArithmetic, NeverRoundsToTheWrongSide) {
  Random random(5);
  int inexact = 0;
  for (int round = 0; round < 20000; ++round) {
    const double a = awkward_double(random);
    const double b = random.chance(0.3) ? -a * (1 + random.unit() * 1e-15) : awkward_double(random);
    const Rational sum = Rational(a) + Rational(b);
    const Rational product = Rational(a) * Rational(b);
    ASSERT_LE(Rational(directed::add_down(a, b)), sum) << a << " + " << b;
    ASSERT_GE(Rational(directed::add_up(a, b)), sum) << a << " + " << b;
    ASSERT_LE(Rational(directed::multiply_down(a, b)), product) << a << " * " << b;
    ASSERT_GE(Rational(directed::multiply_up(a, b)), product) << a << " * " << b;
    // Confirms that the test is effective, because plain arithmetic would exceed the exact value.
    inexact += Rational(a + b) > sum ? 1 : 0;
    inexact += Rational(a * b) > product ? 1 : 0;
  }
  EXPECT_GT(inexact, 5000);
}

TEST(DirectedArithmetic, SurvivesOverflowUnderflowAndInfinities) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(directed::add_down(huge, huge), huge);
  EXPECT_EQ(directed::add_up(huge, huge), infinity);
  EXPECT_EQ(directed::add_down(-huge, -huge), -infinity);
  EXPECT_EQ(directed::multiply_down(huge, 2), huge);
  EXPECT_LT(directed::multiply_down(tiny, -0.5), 0);
  EXPECT_LE(directed::multiply_down(tiny, 0.5), 0);
  EXPECT_EQ(directed::multiply_down(0, infinity), 0);
  EXPECT_EQ(directed::multiply_down(-1, infinity), -infinity);
  EXPECT_EQ(directed::add_down(infinity, -infinity), -infinity);
}

// Returns the exact minimum of the Lagrangian over the box, which safe_dual_bound may approach but not
// exceed.
Rational exact_dual_bound(const LinearProgram& program, const std::vector<double>& duals) {
  Rational bound(program.offset());
  for (Index i = 0; i < program.rows(); ++i) {
    const double side = duals[i] > 0 ? program.row_bounds(i).lower : program.row_bounds(i).upper;
    if (std::isfinite(side)) bound += Rational(duals[i]) * Rational(side);
  }
  for (Index j = 0; j < program.columns(); ++j) {
    Rational price(program.cost(j));
    for (const Entry& entry : program.column(j)) {
      const double dual = duals[entry.index];
      const auto& range = program.row_bounds(entry.index);
      if (std::isfinite(dual > 0 ? range.lower : range.upper))
        price -= Rational(entry.value) * Rational(dual);
    }
    const auto& box = program.column_bounds(j);
    bound += price * Rational(price > 0 ? box.lower : box.upper);
  }
  return bound;
}

LinearProgram boxed(const LinearProgram& program) {
  LinearProgram result = program;
  for (Index j = 0; j < result.columns(); ++j) {
    const auto bounds = result.column_bounds(j);
    result.set_column_bounds(j, {std::max(bounds.lower, -1e6 / 3), std::min(bounds.upper, 1e6 / 7)});
  }
  return result;
}

TEST(SafeBound, NeverExceedsTheExactDualBound) {
  int sharp = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Simplex simplex(boxed(random_program(seed)));
    if (simplex.solve() != LpStatus::optimal) continue;
    const auto& program = simplex.program();
    const auto& solution = simplex.solution();
    const double safe = safe_dual_bound(program, solution.row_dual);
    ASSERT_LE(Rational(safe), exact_dual_bound(program, solution.row_dual)) << "seed " << seed;
    sharp += safe >= solution.objective - 1e-6 * (1 + std::abs(solution.objective)) ? 1 : 0;
  }
  EXPECT_GT(sharp, 350) << "safe bounds should be close to the optimum";
}

TEST(SafeBound, IsValidForArbitraryDuals) {
  Random random(11);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Simplex simplex(boxed(random_program(seed)));
    if (simplex.solve() != LpStatus::optimal) continue;
    std::vector<double> duals(simplex.program().rows());
    for (double& dual : duals) dual = awkward_double(random);
    const double safe = safe_dual_bound(simplex.program(), duals);
    ASSERT_LE(Rational(safe), exact_dual_bound(simplex.program(), duals)) << "seed " << seed;
    ASSERT_LE(safe, simplex.solution().objective + 1e-6 * (1 + std::abs(simplex.solution().objective)));
  }
}

TEST(SafeBound, IsMinusInfinityIfAFreeVariableMayReduceTheCost) {
  LinearProgram program;
  program.add_column(0.1, {-infinity, infinity});
  const std::array<Entry, 1> row{{{0, 0.3}}};
  program.add_row({1, infinity}, row);
  const std::array<double, 1> duals{0.1 / 0.3};
  EXPECT_EQ(safe_dual_bound(program, duals), -infinity);
}

TEST(SafelyInfeasible, AcceptsFarkasVectorsOnlyOfInfeasiblePrograms) {
  int proved = 0;
  int infeasible = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Simplex simplex(boxed(random_program(seed)));
    const auto status = simplex.solve();
    if (status == LpStatus::infeasible && !simplex.solution().farkas.empty()) {
      ++infeasible;
      proved += safely_infeasible(simplex.program(), simplex.solution().farkas) ? 1 : 0;
    }
    if (status != LpStatus::optimal) continue;
    EXPECT_FALSE(safely_infeasible(simplex.program(), simplex.solution().row_dual)) << "seed " << seed;
  }
  EXPECT_GT(infeasible, 100);
  EXPECT_GE(proved, infeasible * 9 / 10);
}

}  // namespace
}  // namespace nestor::simplex::safe_bound_test
