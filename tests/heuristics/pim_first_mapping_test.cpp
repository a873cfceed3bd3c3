// Tests of the first mappings of the pim space, built by priorities, on random small machines.
// The mappings are legal, have the stated costs and obey a bypass table.
#include <gtest/gtest.h>

#include "heuristics/pim/first_mapping.h"
#include "model/pim/legality.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/engine.h"
#include "support/pim_cases.h"

namespace nestor::tests::pim_first_mapping_test {
namespace {

using pim::ObjectiveKind;

constexpr pim::FirstMappingLimits limits{.nests = 300};

double cost_of(const pim::PimProblem& problem, const pim::PimMapping& mapping) {
  pim::RowCounter rows;
  return objective_value(problem.objective, evaluate(problem.layer, problem.machine, mapping, rows));
}

double optimum(const pim::PimProblem& problem) {
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto space = pim::make_space<HostStorage>(problem);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  const auto outcome = Engine<pim::PimSpace<HostStorage>>(*space, *executor, memory, {}, stop).run();
  return outcome.best.empty() ? no_cost : outcome.best.front().cost;
}

TEST(FirstMapping, IsLegalWithTheReportedCost) {
  int found_any = 0;
  int even = 0;
  int optimal = 0;
  constexpr int cases = 80;
  for (int seed = 1; seed <= cases; ++seed) {
    const PimCase tiny = random_pim_case(static_cast<std::uint64_t>(seed), 64);
    for (const auto kind : {ObjectiveKind::latency, ObjectiveKind::energy}) {
      const auto problem = make_problem(tiny.layer, tiny.machine, {.kind = kind});
      const auto space = pim::make_space<HostStorage>(problem);
      const auto first = first_mapping(space->problem(), space->choices(), limits);
      const auto again = first_mapping(space->problem(), space->choices(), limits);
      ASSERT_EQ(first.has_value(), again.has_value());
      if (!first) continue;
      EXPECT_EQ(first->mapping, again->mapping) << "seed " << seed;
      EXPECT_FALSE(find_violation(tiny.layer, tiny.machine, first->mapping)) << "seed " << seed;
      EXPECT_DOUBLE_EQ(first->cost, cost_of(problem, first->mapping)) << "seed " << seed;
      EXPECT_LE(first->nests, limits.nests);
      ++found_any;
      even += static_cast<int>(tiny.machine.blocks == pim::BlockRule::even);
      const double least = optimum(problem);
      EXPECT_GE(first->cost, least * (1 - 1e-9)) << "seed " << seed;
      optimal += static_cast<int>(first->cost <= least * (1 + 1e-9));
    }
  }
  // A mapping is nearly always found, and it is often the optimum.
  EXPECT_GT(found_any, 2 * cases * 9 / 10);
  EXPECT_GT(even, found_any / 4);
  EXPECT_GT(optimal, found_any / 3);
}

TEST(FirstMapping, RespectsABypassTable) {
  int stored = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const PimCase tiny = random_pim_case(seed, 64);
    pim::StoredPairs table{};
    for (std::size_t m = 0; m < tiny.machine.memories.size(); ++m)
      if ((seed + m) % 2 == 0) table[m] = tiny.machine.memories[m].operands;
    const auto problem = with_table(make_problem(tiny.layer, tiny.machine, {}), table);
    const auto space = pim::make_space<HostStorage>(problem);
    const auto first = first_mapping(space->problem(), space->choices(), limits);
    if (!first) continue;
    EXPECT_EQ(first->mapping.stored, stored_pairs(problem)) << "seed " << seed;
    EXPECT_FALSE(find_violation(tiny.layer, tiny.machine, first->mapping)) << "seed " << seed;
    EXPECT_GE(first->cost, optimum(problem) * (1 - 1e-9)) << "seed " << seed;
    stored += static_cast<int>(first->mapping.stored != pim::StoredPairs{});
  }
  EXPECT_GT(stored, 20);
}

}  // namespace
}  // namespace nestor::tests::pim_first_mapping_test
