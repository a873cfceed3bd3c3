// Tests of simplex runs that start from a given basis, resume after a limit, or are repeated.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/simplex/generators.h"
#include "solver/simplex/simplex.h"

namespace nestor::simplex::warm_start_test {
namespace {

void expect_same_answer(Simplex& warm, const char* what, std::uint64_t seed) {
  Simplex cold(warm.program());
  const LpStatus warm_status = warm.solve();
  const LpStatus cold_status = cold.solve();
  ASSERT_EQ(warm_status, cold_status) << what << ", seed " << seed;
  if (cold_status != LpStatus::optimal) return;
  const double expected = cold.solution().objective;
  ASSERT_NEAR(warm.solution().objective, expected, 1e-7 * (1 + std::abs(expected)))
      << what << ", seed " << seed;
}

TEST(WarmStart, GivesTheAnswerOfAColdStartAfterAnyChange) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed + 1000);
    Simplex simplex(random_program(seed));
    simplex.solve();
    for (int change = 0; change < 6; ++change) {
      const Index columns = simplex.program().columns();
      const auto j = static_cast<Index>(random.below(columns));
      const double low = static_cast<double>(random.between(-3, 3));
      switch (random.below(6)) {
        case 0:
          simplex.set_column_bounds(j, {low, low + static_cast<double>(random.below(4))});
          expect_same_answer(simplex, "column bounds", seed);
          break;
        case 1:
          if (simplex.program().rows() == 0) break;
          simplex.set_row_bounds(static_cast<Index>(random.below(simplex.program().rows())), {low, infinity});
          expect_same_answer(simplex, "row bounds", seed);
          break;
        case 2:
          simplex.set_cost(j, low);
          expect_same_answer(simplex, "cost", seed);
          break;
        case 3: {
          std::vector<Entry> entries{{j, 1.5}};
          if (j > 0) entries.push_back({j - 1, -2.0});
          simplex.add_row({low, low + 5}, entries);
          expect_same_answer(simplex, "new row", seed);
          break;
        }
        case 4: {
          std::vector<Entry> entries;
          for (Index i = 0; i < simplex.program().rows(); i += 2) entries.push_back({i, low});
          simplex.add_column(low, {0, 4}, entries);
          expect_same_answer(simplex, "new column", seed);
          break;
        }
        default:
          simplex.truncate_rows(simplex.program().rows() - simplex.program().rows() / 3);
          expect_same_answer(simplex, "rows dropped", seed);
      }
    }
  }
}

TEST(WarmStart, TakesFewPivotsAfterOneBoundChange) {
  Simplex simplex(bound_like_program(12, 3));
  ASSERT_EQ(simplex.solve(), LpStatus::optimal);
  const auto cold = simplex.solution().iterations;
  Random random(9);
  std::uint64_t pivots = 0;
  constexpr int changes = 50;
  for (int change = 0; change < changes; ++change) {
    const auto j = static_cast<Index>(random.below(72));
    simplex.set_column_bounds(j, {0, 0});
    ASSERT_EQ(simplex.solve(), LpStatus::optimal);
    pivots += simplex.solution().iterations;
    simplex.set_column_bounds(j, {0, 1});
    ASSERT_EQ(simplex.solve(), LpStatus::optimal);
    pivots += simplex.solution().iterations;
  }
  EXPECT_LT(pivots, 2 * changes * cold / 5) << "cold start: " << cold << " pivots";
}

TEST(WarmStart, BasisTransfersBetweenSolvers) {
  const auto program = staircase_program(8, 6, 2);
  Simplex first(program);
  ASSERT_EQ(first.solve(), LpStatus::optimal);
  Simplex second(program);
  second.set_basis(first.basis());
  ASSERT_EQ(second.solve(), LpStatus::optimal);
  EXPECT_EQ(second.solution().iterations, 0U);
  EXPECT_DOUBLE_EQ(second.solution().objective, first.solution().objective);
}

TEST(WarmStart, InvalidBasesAreRepaired) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Simplex simplex(random_program(seed));
    Basis basis;
    for (std::uint64_t k = random.below(40); k > 0; --k)
      basis.columns.push_back(static_cast<Place>(random.below(4)));
    for (std::uint64_t k = random.below(40); k > 0; --k)
      basis.rows.push_back(static_cast<Place>(random.below(4)));
    simplex.set_basis(basis);
    expect_same_answer(simplex, "random basis", seed);
  }
}

TEST(Limits, InterruptedSolvesResumeWhereTheyStopped) {
  SimplexOptions options;
  options.iteration_limit = 5;
  Simplex simplex(staircase_program(10, 6, 4), options);
  int solves = 1;
  while (simplex.solve() == LpStatus::iteration_limit && solves < 1000) ++solves;
  EXPECT_GT(solves, 3);
  Simplex whole(simplex.program());
  ASSERT_EQ(whole.solve(), LpStatus::optimal);
  EXPECT_NEAR(simplex.solution().objective, whole.solution().objective,
              1e-7 * std::abs(whole.solution().objective));
}

TEST(Determinism, EqualSeedsGiveEqualPivots) {
  for (const SimplexMethod method : {SimplexMethod::dual, SimplexMethod::primal}) {
    SimplexOptions options;
    options.method = method;
    Simplex a(covering_program(60, 120, 1), options);
    Simplex b(covering_program(60, 120, 1), options);
    ASSERT_EQ(a.solve(), LpStatus::optimal);
    ASSERT_EQ(b.solve(), LpStatus::optimal);
    EXPECT_EQ(a.solution().iterations, b.solution().iterations);
    EXPECT_EQ(a.solution().x, b.solution().x);
  }
}

}  // namespace
}  // namespace nestor::simplex::warm_start_test
