// Test that compares `--method priority` on PIM machines with brute force. Mappings are legal and cost no
// less than the optimum, and bounds do not exceed it. If no mapping is left out, the result is the optimum.
#include <gtest/gtest.h>

#include <iostream>

#include "io/pim/machine_file.h"
#include "mapper/pim/map_layer.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "support/constraint_cases.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::priority_test {
namespace {

TEST(PriorityOnPim, AgreesWithBruteForceWithAndWithoutConstraints) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto cases = setting("NESTOR_PIM_CASES", 60);
  std::uint64_t compared = 0;
  std::uint64_t above = 0;
  std::uint64_t impossible = 0;
  for (std::uint64_t seed = 300; compared < cases; ++seed) {
    const PimCase tiny = random_pim_case(seed, 12);
    mapper::pim::PimRequest request;
    request.method = MapMethod::priority;
    constexpr std::array kinds = {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp,
                                  ObjectiveKind::blended};
    request.objective.kind = kinds[seed / 2 % kinds.size()];
    if (request.objective.kind == ObjectiveKind::blended) {
      request.objective.latency_weight = 2;
      request.objective.additive_weight = 0.5;
    }
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    pim::PimMapping example;
    if (!random_pim_mapping(tiny, seed, example)) continue;
    if (seed % 2 == 1)
      request.constraints = random_constraints(seed, tiny.layer, tiny.machine, example.nest.loops);
    const auto objective = problem_of(tiny.layer, tiny.machine, request).objective;
    pim::RowCounter rows;
    double best = no_cost;
    const bool complete = each_pim_mapping(tiny, 4000, [&](const pim::PimMapping& mapping) {
      if (satisfies_constraints(request.constraints, tiny.layer, tiny.machine, mapping.nest))
        best = std::min(best, objective_value(objective, evaluate(tiny.layer, tiny.machine, mapping, rows)));
    });
    if (!complete) continue;
    ++compared;
    SCOPED_TRACE(seed);
    const double tolerance = 2e-9 * std::abs(best);
    for (const std::uint64_t work :
         {std::uint64_t{0}, std::uint64_t{6}, std::uint64_t{20}, std::numeric_limits<std::uint64_t>::max()}) {
      request.work_limit = work;
      const auto map = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
      const bool whole = work == std::numeric_limits<std::uint64_t>::max();
      ASSERT_EQ(map.fault, mapper::Fault::none);
      if (best == no_cost) {
        impossible += whole ? 1U : 0U;
        ASSERT_TRUE(map.best.empty());
        ASSERT_EQ(map.status, whole ? Status::infeasible : map.status);
        continue;
      }
      if (map.bound) {
        ASSERT_LE(*map.bound, best + tolerance);
      }
      if (map.best.empty()) {
        ASSERT_EQ(map.status, Status::work_limit);
        continue;
      }
      const double cost = map.best.front().objective;
      ASSERT_GE(cost, best - tolerance);
      above += cost > best + tolerance ? 1U : 0U;
      ASSERT_TRUE(map.status == Status::optimal || (!whole && map.status == Status::heuristic));
      if (map.status == Status::optimal) {
        ASSERT_NEAR(cost, best, tolerance);
      }
    }
  }
  std::cout << compared << " cases, " << impossible << " impossible, " << above
            << " runs above the optimum\n";
  EXPECT_GE(impossible, cases / 20);
}

// Layer conv5_1_a of ResNet-18, whose optima on pim-hbm are proved.
TEST(PriorityOnPim, IsCloseToTheOptimumOnAShippedMachine) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto read = io::pim::read_machine("pim-hbm");
  ASSERT_TRUE(read);
  LayerShape layer;
  layer.bounds = {1, 512, 256, 7, 7, 3, 3, 1};
  layer.stride = {2, 2};
  for (const auto& [kind, optimum] :
       {std::pair{ObjectiveKind::energy, 189967068.16}, {ObjectiveKind::edp, 6127577750568.96}}) {
    mapper::pim::PimRequest request;
    request.method = MapMethod::priority;
    request.objective.kind = kind;
    request.work_limit = 3000;
    const auto one = map_layer(layer, read->machine, request, {*executor, memory});
    ASSERT_TRUE(one.status == Status::heuristic || one.status == Status::optimal);
    ASSERT_FALSE(one.best.empty());
    EXPECT_GE(one.best.front().objective, optimum * (1 - 1e-9));
    EXPECT_LE(one.best.front().objective, optimum * 1.05);
    EXPECT_LE(one.search.counts.expanded, request.work_limit + 300);
    const auto two = map_layer(layer, read->machine, request, {*executor, memory});
    EXPECT_EQ(one.best.front().mapping, two.best.front().mapping);
    EXPECT_EQ(one.search.counts.expanded, two.search.counts.expanded);
  }
}

}  // namespace
}  // namespace nestor::tests::priority_test
