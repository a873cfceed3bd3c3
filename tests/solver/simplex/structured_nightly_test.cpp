// Tests that compare the solver with CLP, if it is available, on generated programs with up to 20,000 rows.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/simplex/generators.h"
#include "solver/simplex/references.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex::structured_nightly_test {
namespace {

void expect_optimal(const LinearProgram& program, Index least_rows) {
  ASSERT_GE(program.rows(), least_rows);
  Simplex simplex(program);
  ASSERT_EQ(simplex.solve(), LpStatus::optimal);
  const auto reference = solve_with_clp(program);
  if (!reference) GTEST_SKIP() << "coinor-libclp-dev was not found when the tests were configured";
  ASSERT_EQ(reference->status, LpStatus::optimal);
  const double expected = reference->objective;
  EXPECT_NEAR(simplex.solution().objective, expected, 1e-7 * (1 + std::abs(expected)));
}

TEST(LargePrograms, StaircaseOfTwentyThousandRows) { expect_optimal(staircase_program(250, 60, 1), 20000); }
TEST(LargePrograms, MulticommodityOfNineThousandRows) {
  expect_optimal(multicommodity_program(150, 500, 60, 1), 9000);
}
TEST(LargePrograms, TransportOfSixtyThousandColumns) { expect_optimal(transport_program(200, 300, 1), 500); }
TEST(LargePrograms, CoveringOfFifteenHundredRows) { expect_optimal(covering_program(1500, 5000, 1), 1500); }

}  // namespace
}  // namespace nestor::simplex::structured_nightly_test
