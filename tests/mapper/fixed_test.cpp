// Test of mapping under the user's constraints. The optimum equals the least cost that brute force finds
// among all mappings that satisfy the constraints, and the search finds a mapping if and only if one exists.
#include <gtest/gtest.h>

#include <iostream>

#include "mapper/cim/map_layer.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "support/brute_force.h"
#include "support/constraint_cases.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests::fixed_test {
namespace {

TEST(Fixed, ChoicesAreHonouredAndTheRestIsOptimal) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 60);
  ConstraintTally tally;
  std::uint64_t compared = 0;
  std::uint64_t impossible = 0;
  std::uint64_t costlier = 0;
  for (std::uint64_t seed = 9000; compared < cases; ++seed) {
    const auto sample = random_case(seed, {.max_steps = 24, .max_loops = 4, .graded = seed % 4 != 0});
    const Architecture& machine = sample.architecture.machine;
    if (!has_at_most(20000, sample.layer, machine)) continue;
    SCOPED_TRACE(sample.describe());
    mapper::CimRequest request;
    request.objective.kind = seed % 2 == 0 ? cim::ObjectiveKind::latency : cim::ObjectiveKind::energy;
    request.constraints = random_constraints(seed, sample.layer, machine, sample.mapping.loops);
    const auto objective = cim::make_problem(sample.layer, machine, request.objective).objective;
    double best = no_cost;
    double free = no_cost;
    for_each_mapping(sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
      const double cost = objective_value(objective, cim::evaluate(sample.layer, machine, mapping), machine);
      free = std::min(free, cost);
      if (satisfies_constraints(request.constraints, sample.layer, machine, mapping))
        best = std::min(best, cost);
    });
    const auto map = map_layer(sample.layer, machine, request, {*executor, memory});
    ++compared;
    tally.add(request.constraints);
    ASSERT_EQ(map.fault, mapper::Fault::none);
    ASSERT_EQ(map.status, best == no_cost ? Status::infeasible : Status::optimal);
    if (best == no_cost) {
      ++impossible;
      continue;
    }
    costlier += best > free * (1 + 1e-9) ? 1U : 0U;
    ASSERT_NEAR(map.best.front().objective, best, 1e-9 * std::abs(best));
  }
  std::cout << compared << " cases, " << impossible << " impossible, " << costlier << " costlier; "
            << tally.to_string() << '\n';
  EXPECT_GE(impossible, cases / 10);
  EXPECT_GE(costlier, cases / 15);
  EXPECT_GE(tally.least(), static_cast<int>(cases) / 12);
}

}  // namespace
}  // namespace nestor::tests::fixed_test
