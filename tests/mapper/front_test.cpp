// Test of latency-energy fronts that the first search does not finish. A search for least energy and then
// searches branch by branch complete them. On random tiny cases, the completed fronts equal those of all
// mappings.
#include <gtest/gtest.h>

#include <cstdio>

#include "mapper/cim/prove.h"
#include "mapper/cim/setup.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::mapper::front_test {
namespace {

using nestor::tests::setting;

TEST(Front, EqualsTheFrontOfAllMappingsAfterAStoppedSearch) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) * 2;
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  std::uint64_t points = 0;
  std::uint64_t finished_later = 0;
  std::uint64_t stopped = 0;
  std::uint64_t done = 0;
  for (std::uint64_t seed = 1; done < cases; ++seed) {
    const auto sample = nestor::tests::random_case(
        seed + 9'000'000,
        {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .groups = seed % 4 == 2});
    Architecture machine = sample.architecture.machine;
    machine.leakage = 0;
    const auto model = seed % 2 == 0 ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
    const auto all = nestor::tests::front_of_all(sample.layer, machine, model, 20'000);
    if (!all || all->empty()) continue;
    const auto& expected = *all;
    SCOPED_TRACE(sample.describe());
    ++done;
    points += expected.size();
    StopSource stop;
    const Limits limits{*executor, memory, stop};
    const auto problem = cim::make_problem(sample.layer, machine, {{}, model});
    const std::uint64_t first_work = 1 + seed % 30;
    const auto proved = prove_front(problem, limits, {}, nullptr, first_work);
    ASSERT_EQ(proved.outcome.status, Status::optimal);
    finished_later += static_cast<std::uint64_t>(proved.outcome.counts.expanded > first_work);
    ASSERT_EQ(proved.points.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(proved.points[i].latency, expected[i].first);
      EXPECT_NEAR(proved.points[i].energy, expected[i].second, 1e-9 * expected[i].second);
    }
    const std::uint64_t work_limit = first_work + seed % 4;
    const auto begun = prove_front(problem, limits, {.work_limit = work_limit}, nullptr, first_work);
    if (begun.outcome.status == Status::optimal) {
      EXPECT_LT(begun.outcome.counts.expanded, work_limit);
    }
    stopped += static_cast<std::uint64_t>(begun.outcome.status == Status::work_limit);
    for (const auto& point : begun.points) {
      const auto evaluation = cim::evaluate(sample.layer, machine, point.mapping);
      EXPECT_EQ(evaluation.cycles(model), point.latency);
      EXPECT_EQ(evaluation.energy_pj, point.energy);
    }
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("%llu fronts with %llu points, %llu not finished by the first search, %llu stopped\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(points),
              static_cast<unsigned long long>(finished_later), static_cast<unsigned long long>(stopped));
  EXPECT_GT(points, cases * 3 / 2);
  EXPECT_GE(finished_later * 4, cases);
  EXPECT_GE(stopped * 20, cases);
}

}  // namespace
}  // namespace nestor::mapper::front_test
