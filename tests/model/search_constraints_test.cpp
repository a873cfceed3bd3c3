// Tests of the engine under constraints: fixed outer loops and stationary operands. Its results are compared
// with brute force over the mappings that satisfy the constraints.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/loopnest/rules/satisfies_constraints.h"
#include "search_brute_force.h"

namespace nestor::cim::search_constraints_test {
namespace {

// Fixes the outermost loops of a random mapping. Brute force accepts only mappings with these loops.
TEST(SearchExactness, FixedOuterLoopsAreKeptAndTheRestIsOptimal) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 2;
  std::uint64_t with_two = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample = tiny_case(seed + 3000000);
    SCOPED_TRACE(sample.describe());
    const Architecture& machine = sample.architecture.machine;
    const std::size_t count = std::min<std::size_t>(2, sample.mapping.loops.size());
    const auto best = enumerate(sample, [&](const Mapping& mapping) {
      if (mapping.loops.size() < count) return false;
      for (std::size_t i = 0; i < count; ++i)
        if (mapping.loops[i].dim != sample.mapping.loops[i].dim ||
            mapping.loops[i].factor != sample.mapping.loops[i].factor)
          return false;
      return true;
    });
    for (std::size_t objective = 0; objective < best.size(); ++objective) {
      CimProblem problem = make_problem(sample.layer, machine, objectives()[objective]);
      for (std::size_t i = 0; i < count; ++i)
        problem.constraints.outer_loops.push_back(sample.mapping.loops[i]);
      with_two += static_cast<std::uint64_t>(count == 2);
      const double least = best[objective].cost;
      const auto outcome = solve(problem, {});
      ASSERT_EQ(outcome.status, least < no_cost ? Status::optimal : Status::infeasible);
      if (least == no_cost) continue;
      EXPECT_NEAR(outcome.best.front().cost, least, 1e-9 * std::abs(least));
      const Mapping& mapping = outcome.best.front().solution;
      EXPECT_TRUE(satisfies_constraints(problem.constraints, sample.layer, machine, mapping));
      EXPECT_NEAR(objective_value(problem.objective, evaluate(sample.layer, machine, mapping), machine),
                  least, 1e-9 * std::abs(least));
    }
  }
  EXPECT_GT(with_two, cases);
}

// Searches inward and outward for mappings that load every tile of one operand once. Brute force accepts only
// such mappings.
TEST(SearchExactness, StationaryOperandsStayAndTheRestIsOptimal) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t compared = 0;
  std::uint64_t costlier = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample = tiny_case(seed + 4000000);
    SCOPED_TRACE(sample.describe());
    const Architecture& machine = sample.architecture.machine;
    const auto free = enumerate(sample);
    for (const Operand operand : all_operands) {
      Constraints fixed;
      fixed.stationary.insert(operand);
      const auto best = enumerate(sample, [&](const Mapping& mapping) {
        return satisfies_constraints(fixed, sample.layer, machine, mapping);
      });
      for (std::size_t objective = 0; objective < best.size(); ++objective) {
        CimProblem problem = make_problem(sample.layer, machine, objectives()[objective]);
        problem.constraints = fixed;
        const double least = best[objective].cost;
        costlier += static_cast<std::uint64_t>(least > free[objective].cost + 1e-9 * std::abs(least));
        for (const Direction direction : {Direction::outward, Direction::inward}) {
          if (direction == Direction::inward && !InwardBranch::answers(problem)) continue;
          ++compared;
          const auto outcome = solve(problem, {}, direction);
          ASSERT_EQ(outcome.status, least < no_cost ? Status::optimal : Status::infeasible);
          if (least == no_cost) continue;
          const double tolerance = 1e-9 * std::max(std::abs(least), 1e-3);
          ASSERT_NEAR(outcome.best.front().cost, least, tolerance) << "objective " << objective;
          EXPECT_TRUE(satisfies_constraints(fixed, sample.layer, machine, outcome.best.front().solution));
        }
      }
    }
  }
  std::printf("%llu optima, %llu costlier than without\n", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(costlier));
  EXPECT_GT(costlier, cases);
}

}  // namespace
}  // namespace nestor::cim::search_constraints_test
