// Tests on structured programs, similar to those of the classic test sets. The objective is compared with CLP
// if it is available, and the solver's own certificate check must pass in every case.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/simplex/certificate.h"
#include "solver/simplex/generators.h"
#include "solver/simplex/references.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex::structured_test {
namespace {

void expect_optimal(const LinearProgram& program) {
  for (const SimplexMethod method : {SimplexMethod::dual, SimplexMethod::primal}) {
    SimplexOptions options;
    options.method = method;
    Simplex simplex(program, options);
    ASSERT_EQ(simplex.solve(), LpStatus::optimal);
    EXPECT_TRUE(check_optimal(program, simplex.solution(), 1e-7).holds);
    if (const auto reference = solve_with_clp(program)) {
      ASSERT_EQ(reference->status, LpStatus::optimal);
      EXPECT_NEAR(simplex.solution().objective, reference->objective,
                  1e-7 * (1 + std::abs(reference->objective)));
    }
  }
}

TEST(StructuredPrograms, Transport) { expect_optimal(transport_program(20, 40, 1)); }
TEST(StructuredPrograms, Staircase) { expect_optimal(staircase_program(12, 12, 1)); }
TEST(StructuredPrograms, Multicommodity) { expect_optimal(multicommodity_program(15, 45, 6, 1)); }
TEST(StructuredPrograms, Blending) { expect_optimal(blending_program(20, 6, 1)); }
TEST(StructuredPrograms, Covering) { expect_optimal(covering_program(120, 300, 1)); }
TEST(StructuredPrograms, BoundLike) { expect_optimal(bound_like_program(12, 1)); }

}  // namespace
}  // namespace nestor::simplex::structured_test
