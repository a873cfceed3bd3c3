// Test of tie-breaking in the pim space. Brute force finds the least energy among all mappings of least
// latency, and the least latency among those of least energy.
#include <gtest/gtest.h>

#include <cstdio>

#include "mapper/pim/map_layer.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::ties_test {
namespace {

TEST(PimTies, MinimiseTheSecondaryCostAmongAllOptima) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 40));
  const std::uint64_t first_seed = setting("NESTOR_PIM_SEED", 3000);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  std::uint64_t done = 0;
  std::uint64_t improved = 0;
  for (std::uint64_t seed = first_seed; done < cases && seed < first_seed + 100 * cases; ++seed) {
    PimCase tiny = random_pim_case(seed, 24);
    mapper::pim::PimRequest request;
    request.objective.kind = seed % 2 == 0 ? ObjectiveKind::latency : ObjectiveKind::energy;
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    const bool latency = request.objective.kind == ObjectiveKind::latency;
    if (!latency) tiny.machine.leakage = 0;
    const auto costs = [&](const pim::PimEvaluation& evaluation) {
      const auto cycles = static_cast<double>(evaluation.latency_cycles);
      return latency ? std::pair(cycles, evaluation.energy_pj) : std::pair(evaluation.energy_pj, cycles);
    };
    double least = no_cost;
    double other = no_cost;
    pim::RowCounter rows;
    const bool complete = each_pim_mapping(tiny, 3000, [&](const pim::PimMapping& mapping) {
      const auto [cost, second] = costs(pim::evaluate(tiny.layer, tiny.machine, mapping, rows));
      constexpr double same = 1e-10;
      if (cost < least * (1 - same)) {
        least = cost;
        other = second;
      } else if (cost <= least * (1 + same)) {
        other = std::min(other, second);
      }
    });
    if (!complete || least == no_cost) continue;
    SCOPED_TRACE(seed);
    ++done;
    const auto plain = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
    request.break_ties = true;
    const auto found = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
    ASSERT_EQ(found.fault, mapper::Fault::none);
    ASSERT_EQ(found.status, Status::optimal);
    ASSERT_TRUE(found.ties);
    EXPECT_EQ(found.ties->status, Status::optimal);
    EXPECT_EQ(found.search.counts.expanded, plain.search.counts.expanded);
    EXPECT_EQ(found.best.size(), 1U);
    const auto [cost, second] = costs(found.best.front().evaluation);
    EXPECT_NEAR(cost, least, 1e-9 * least);
    EXPECT_NEAR(second, other, 1e-9 * other);
    improved += costs(plain.best.front().evaluation).second > second * (1 + 1e-9) ? 1U : 0U;
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("%llu optima, %llu with a better mapping of equal cost\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(improved));
  EXPECT_EQ(done, cases);
  EXPECT_GE(improved * 10, cases);
}

}  // namespace
}  // namespace nestor::tests::ties_test
