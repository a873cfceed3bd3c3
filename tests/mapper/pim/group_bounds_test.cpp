// Tests of the bounds of groups of spatial choices: no bound exceeds the least cost of its choice, each is
// the same for any number of threads, and the work stays within its limit.
#include "mapper/pim/group_bounds.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "model/pim/search/admission.h"
#include "model/pim/search/joint_table.h"
#include "solver/engine/stop_source.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::group_bounds_test {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::vector<double> bounds_of(const mapper::pim::GroupedSpace& space) {
  std::vector<double> bounds;
  for (std::size_t i = 0; i < space.branch_count(); ++i) bounds.push_back(space.branch_bound(i));
  return bounds;
}

TEST(GroupBounds, NeverExceedTheLeastCostOfAChoice) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 60));
  const std::uint64_t first_seed = setting("NESTOR_PIM_SEED", 1);
  MemoryBudget memory(std::size_t{1} << 28U);
  const auto serial = make_executor(ExecutorKind::serial, 1);
  const auto parallel = make_executor(ExecutorKind::std_thread, 3);
  StopSource never;
  std::uint64_t compared = 0, raised = 0, tight = 0, closed = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PimCase tiny = random_pim_case(seed, 60);
    tiny.machine.blocks = pim::BlockRule::even;
    const auto inside = tiny.machine.axes;  // of an axis outside the homes
    tiny.machine.axes.clear();
    tiny.machine.axes.push_back({.size = 4, .dims = inside[0].dims});
    for (const auto& axis : inside) tiny.machine.axes.push_back(axis);
    for (auto& level : tiny.machine.memories) ++level.axes_above;
    if (pim::admit(tiny.layer, tiny.machine) != Refusal::none) continue;
    const auto kind = seed % 2 == 0 ? pim::ObjectiveKind::energy : pim::ObjectiveKind::edp;
    const auto problem = make_problem(tiny.layer, tiny.machine, {.kind = kind});
    const auto space = pim::make_space<HostStorage>(problem);
    const auto before = bounds_of(*space);
    std::vector<double> least;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto run = space->open(i, HostStorage(memory));
      ASSERT_NE(run, nullptr);
      ASSERT_EQ(run->advance(no_cost, no_cost, {}), SearchEnd::reached);
      least.push_back(run->best_cost());
    }
    const double best = least.empty() ? no_cost : *std::min_element(least.begin(), least.end());
    if (best == no_cost) continue;
    for (const double share : {0.8, 1.0, 3.0}) {
      const double cutoff = best * share;
      const auto raised_space = pim::make_space<HostStorage>(problem);
      const auto twin = pim::make_space<HostStorage>(problem);
      const std::uint64_t work =
          mapper::pim::raise_group_bounds(*raised_space, cutoff, unlimited, *serial, memory, never);
      ASSERT_EQ(mapper::pim::raise_group_bounds(*twin, cutoff, work, *parallel, memory, never), work);
      const auto after = bounds_of(*raised_space);
      ASSERT_EQ(bounds_of(*twin), after);
      if (work > 0) {
        const auto short_of_work = pim::make_space<HostStorage>(problem);
        ASSERT_EQ(mapper::pim::raise_group_bounds(*short_of_work, cutoff, work - 1, *serial, memory, never),
                  work - 1);
      }
      for (std::size_t i = 0; i < after.size(); ++i) {
        ASSERT_LE(after[i], least[i] * (1 + 1e-12));
        ++compared;
        raised += static_cast<std::uint64_t>(after[i] > before[i]);
        tight += static_cast<std::uint64_t>(least[i] < no_cost && after[i] > least[i] * (1 - 1e-9));
        closed += static_cast<std::uint64_t>(before[i] < cutoff && after[i] >= cutoff * (1 - 1e-9));
      }
    }
  }
  std::printf("%llu bounds: %llu raised, %llu equal to the least cost, %llu closed\n",
              static_cast<unsigned long long>(compared), static_cast<unsigned long long>(raised),
              static_cast<unsigned long long>(tight), static_cast<unsigned long long>(closed));
  if (cases < fewest_cases_that_tell) return;
  EXPECT_GT(raised, compared / 10);
  EXPECT_GT(tight, compared / 100);
  EXPECT_GT(closed, compared / 20);
}

}  // namespace
}  // namespace nestor::tests::group_bounds_test
