// Tests of the simplex solver on random programs, against GLPK, CLP and exact arithmetic.
#include <gtest/gtest.h>

#include "solver/simplex/comparison.h"
#include "solver/simplex/generators.h"

namespace nestor::simplex::random_lp_test {
namespace {

TEST(RandomPrograms, AgreeWithGlpkAndClp) { compare_random_programs(400); }

// Needs no external library: exact arithmetic confirms the solver's result for every small program.
TEST(RandomPrograms, AreCorrectInExactArithmetic) {
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    Simplex simplex(random_program(seed));
    const LpStatus status = simplex.solve();
    if (simplex.program().rows() > 12) continue;
    EXPECT_TRUE(exact_arithmetic_confirms(simplex)) << "seed " << seed << " " << to_string(status);
  }
}

TEST(RandomPrograms, CoverEveryKindOfAnswer) {
  std::array<int, 5> count{};
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    ++count.at(static_cast<std::size_t>(Simplex(random_program(seed)).solve()));
  EXPECT_GT(count[static_cast<std::size_t>(LpStatus::optimal)], 150);
  EXPECT_GT(count[static_cast<std::size_t>(LpStatus::infeasible)], 30);
  EXPECT_GT(count[static_cast<std::size_t>(LpStatus::unbounded)], 30);
}

}  // namespace
}  // namespace nestor::simplex::random_lp_test
