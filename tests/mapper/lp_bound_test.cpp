// Tests of bounds from linear programs in the search. They do not change the optimum, never exceed it and do
// not depend on the number of threads. They have an effect: they close spatial choices and raise the bounds
// of stopped runs.
#include "mapper/cim/lp_bound.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "mapper/cim/map_layer.h"
#include "solver/engine/engine.h"
#include "support/random_cases.h"

namespace nestor::mapper::lp_bound_test {
namespace {

CimLayerMap solve(const nestor::tests::RandomCase& sample, const cim::CimObjective& objective, LpUse lp,
                  std::optional<std::uint64_t> work_limit = std::nullopt, int threads = 1) {
  const auto executor = make_executor(ExecutorKind::std_thread, threads);
  MemoryBudget memory(std::size_t{1} << 30U);
  CimRequest request;
  request.objective = objective;
  request.lp_bound = lp;
  if (work_limit) request.work_limit = *work_limit;
  return map_layer(sample.layer, sample.architecture.machine, request, {*executor, memory});
}

double relative_slack(double cost) { return std::abs(cost) * cost_tolerance; }

struct Totals {
  std::uint64_t nodes = 0;
  std::uint64_t nodes_with = 0;
  int raised = 0;
};

void compare(std::uint64_t seed, const cim::CimObjective& objective, Totals& totals) {
  const auto sample = nestor::tests::random_case(seed, {.max_steps = 48, .graded = true});
  const CimLayerMap off = solve(sample, objective, LpUse::off);
  const CimLayerMap root = solve(sample, objective, LpUse::root);
  ASSERT_EQ(off.status, Status::optimal);
  ASSERT_EQ(root.status, Status::optimal) << sample.describe();
  const double optimum = off.best.front().objective;
  EXPECT_NEAR(root.best.front().objective, optimum, relative_slack(optimum)) << sample.describe();
  totals.nodes += off.search.counts.expanded;
  totals.nodes_with += root.search.counts.expanded;

  const CimLayerMap threads = solve(sample, objective, LpUse::root, std::nullopt, 3);
  EXPECT_EQ(threads.best.front().mapping, root.best.front().mapping);
  EXPECT_EQ(threads.search.counts.expanded, root.search.counts.expanded);

  const CimLayerMap cut = solve(sample, objective, LpUse::off, 2);
  const CimLayerMap raised = solve(sample, objective, LpUse::stopped, 2);
  ASSERT_EQ(raised.status, cut.status);
  ASSERT_EQ(raised.search.counts.expanded, cut.search.counts.expanded);
  EXPECT_EQ(raised.best.front().mapping, cut.best.front().mapping);
  EXPECT_GE(*raised.bound, *cut.bound);
  EXPECT_LE(*raised.bound, optimum + relative_slack(optimum)) << sample.describe();
  EXPECT_EQ(*solve(sample, objective, LpUse::stopped, 2, 3).bound, *raised.bound);
  totals.raised += *raised.bound > *cut.bound ? 1 : 0;
}

TEST(LpBound, ChangesNoOptimumAndExceedsNone) {
  using cim::ObjectiveKind;
  for (const auto kind : {ObjectiveKind::energy, ObjectiveKind::edp, ObjectiveKind::latency,
                          ObjectiveKind::blended, ObjectiveKind::eq14}) {
    Totals totals;
    const cim::CimObjective objective{
        {.kind = kind, .additive_weight = kind == ObjectiveKind::eq14 ? -1.0 : 0.1}};
    for (std::uint64_t seed = 3; seed <= 13; ++seed) compare(seed, objective, totals);
    EXPECT_LT(totals.nodes_with, totals.nodes);
    if (kind == ObjectiveKind::energy || kind == ObjectiveKind::edp) {
      EXPECT_GT(totals.raised, 0);
    }
    std::printf("%llu nodes, %llu with programs at the root; %d bounds raised\n",
                static_cast<unsigned long long>(totals.nodes),
                static_cast<unsigned long long>(totals.nodes_with), totals.raised);
  }
}

TEST(LpBound, DoesNotApplyToTheMiredoLatency) {
  const cim::CimObjective objective{{}, cim::LatencyModel::miredo};
  const auto sample = nestor::tests::random_case(3);
  const auto off = solve(sample, objective, LpUse::off, 1);
  const auto stopped = solve(sample, objective, LpUse::stopped, 1);
  EXPECT_EQ(off.bound, stopped.bound);
}

}  // namespace
}  // namespace nestor::mapper::lp_bound_test
