// Tests of tie-breaking in the cim space. Brute force finds the least energy among all mappings of least
// latency, and the least latency among those of least energy. The first search, its bound and its node count
// are the same as in a run that breaks no ties.
#include <gtest/gtest.h>

#include <cstdio>

#include "mapper/cim/map_layer.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::mapper::ties_test {
namespace {

using nestor::tests::setting;

struct Optimum {
  double first = no_cost;
  double second = no_cost;
  void offer(double cost, double other) {
    constexpr double same = 1e-10;
    if (cost < first * (1 - same)) *this = {cost, other};
    if (cost <= first * (1 + same)) second = std::min(second, other);
  }
};

TEST(Ties, MinimiseTheSecondaryCostAmongAllOptima) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  std::uint64_t done = 0;
  std::uint64_t improved = 0;
  for (std::uint64_t seed = 1; done < cases; ++seed) {
    const auto sample = nestor::tests::random_case(
        seed + 12'000'000, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0});
    Architecture machine = sample.architecture.machine;
    CimRequest request;
    request.objective.kind = seed % 2 == 0 ? ObjectiveKind::latency : ObjectiveKind::energy;
    request.objective.latency_model = seed % 3 == 0 ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
    request.top = seed % 5 == 0 ? 3 : 1;
    const bool latency = request.objective.kind == ObjectiveKind::latency;
    if (!latency) machine.leakage = 0;
    const auto costs = [&](const cim::CimEvaluation& evaluation) {
      const auto cycles = static_cast<double>(evaluation.cycles(request.objective.latency_model));
      return latency ? std::pair(cycles, evaluation.energy_pj) : std::pair(evaluation.energy_pj, cycles);
    };
    Optimum expected;
    const bool complete =
        nestor::tests::for_each_mapping(sample.layer, machine, 20'000, [&](const Mapping& mapping) {
          const auto [cost, other] = costs(cim::evaluate(sample.layer, machine, mapping));
          expected.offer(cost, other);
        });
    if (!complete || expected.first == no_cost) continue;
    SCOPED_TRACE(sample.describe());
    ++done;
    const auto plain = map_layer(sample.layer, machine, request, {*executor, memory});
    request.break_ties = true;
    const auto found = map_layer(sample.layer, machine, request, {*executor, memory});
    ASSERT_EQ(found.fault, Fault::none);
    ASSERT_EQ(found.status, Status::optimal);
    ASSERT_TRUE(found.ties);
    EXPECT_EQ(found.ties->status, Status::optimal);
    EXPECT_EQ(found.search.counts.expanded, plain.search.counts.expanded);
    EXPECT_LE(found.best.size(), request.top);
    EXPECT_EQ(found.best.size(), plain.best.size());
    const auto [cost, other] = costs(found.best.front().evaluation);
    EXPECT_NEAR(cost, expected.first, 1e-9 * expected.first);
    EXPECT_NEAR(other, expected.second, 1e-9 * expected.second);
    EXPECT_LE(found.ties->bound - (latency ? machine.leakage * cost : 0), other * (1 + 1e-9));
    for (std::size_t i = 1; i < found.best.size(); ++i) {
      EXPECT_GE(found.best[i].objective, found.best[i - 1].objective * (1 - 1e-9));
      EXPECT_NE(found.best[i].mapping.spatial, found.best[0].mapping.spatial);
    }
    improved += costs(plain.best.front().evaluation).second > other * (1 + 1e-9) ? 1U : 0U;
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("%llu optima, %llu with a better mapping of equal cost\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(improved));
  EXPECT_GE(improved * 10, cases);
}

TEST(Ties, AreNotBrokenForObjectivesOfBothCosts) {
  const auto sample = nestor::tests::random_case(7, {.max_steps = 24, .max_loops = 3, .graded = true});
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30);
  CimRequest request;
  request.break_ties = true;
  for (const auto kind : {ObjectiveKind::edp, ObjectiveKind::eq14, ObjectiveKind::blended}) {
    request.objective.kind = kind;
    if (kind == ObjectiveKind::eq14) request.objective.additive_weight = -1;
    EXPECT_FALSE(map_layer(sample.layer, sample.architecture.machine, request, {*executor, memory}).ties);
  }
}

}  // namespace
}  // namespace nestor::mapper::ties_test
