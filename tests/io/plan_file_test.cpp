// Tests of plans of sweeps: the machines and runs into which grids, zips and lists of values expand.
#include "io/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nestor::io::plan_file_test {
namespace {

using testing::ElementsAre;

TEST(PlanFile, ExpandsGridsZipsAndListsOfValues) {
  const auto plan = parse_plan(R"(
name: cores
networks: [tiny.yaml]
machines:
  - base: miredo-default
    zip: {memory.gbuf.capacity: [128 KiB, 256 KiB], memory.gbuf.bandwidth: [128, 256]}
    grid: {axis.core.size: [2, 8]}
  - zigzag-dimc
runs: [{objective: [latency, edp]}, {method: weight-stationary, latency_model: miredo}]
options: {latency_model: stall}
)",
                               "plan.yaml");
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(plan->name, "cores");
  EXPECT_EQ(plan->verb, Verb::map);
  EXPECT_THAT(plan->networks, ElementsAre("tiny.yaml"));
  std::vector<std::string> machines, runs;
  for (const auto& machine : plan->machines) machines.push_back(machine.label());
  for (const auto& run : plan->runs) runs.push_back(to_text(run));
  const std::string small = "miredo-default memory.gbuf.capacity=128 KiB memory.gbuf.bandwidth=128";
  const std::string large = "miredo-default memory.gbuf.capacity=256 KiB memory.gbuf.bandwidth=256";
  EXPECT_THAT(machines, ElementsAre(small + " axis.core.size=2", small + " axis.core.size=8",
                                    large + " axis.core.size=2", large + " axis.core.size=8", "zigzag-dimc"));
  EXPECT_THAT(runs, ElementsAre("objective=latency latency-model=stall", "objective=edp latency-model=stall",
                                "method=weight-stationary latency-model=miredo"));
}

TEST(PlanFile, HasOneRunWithItsOptionsByDefault) {
  const auto plan =
      parse_plan("{name: a, verb: schedule, networks: [adder.v], options: {rows: 8}}", "plan.yaml");
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_TRUE(plan->machines.empty());
  ASSERT_EQ(plan->runs.size(), 1U);
  EXPECT_EQ(to_text(plan->runs.front()), "rows=8");
}

}  // namespace
}  // namespace nestor::io::plan_file_test
