// Tests that compare padded bounds on PIM machines with brute force. Larger bounds may need fewer row
// activations, so every bound matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/random.h"
#include "mapper/pim/map_layer.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::padding_test {
namespace {

class PaddedOnPim : public ::testing::Test {
 protected:
  static std::vector<PimCase> padded(const PimCase& tiny, Int percent) {
    std::vector<PimCase> all = {tiny};
    for (std::size_t d = 0; d < group_dim_count; ++d)
      for (std::size_t i = all.size(); i-- > 0;)
        for (Int bound = tiny.layer.bounds[d] + 1;
             (bound - tiny.layer.bounds[d]) * 100 <= tiny.layer.bounds[d] * percent; ++bound) {
          all.push_back(all[i]);
          all.back().layer.bounds[d] = bound;
        }
    return all;
  }
  struct Optimum {
    double cost = no_cost;
    double own = no_cost;
    std::vector<std::pair<Int, double>> points;
  };
  static std::optional<Optimum> brute_force(const PimCase& tiny, const mapper::pim::PimRequest& request,
                                            Int percent) {
    const auto objective = problem_of(tiny.layer, tiny.machine, request).objective;
    const auto cases = padded(tiny, percent);
    if (cases.size() > 24) return std::nullopt;
    Optimum optimum;
    for (const PimCase& one : cases) {
      pim::RowCounter rows;
      const bool complete = each_pim_mapping(one, 4000, [&](const pim::PimMapping& mapping) {
        const auto evaluation = evaluate(one.layer, one.machine, mapping, rows);
        const double cost = objective_value(objective, evaluation);
        optimum.cost = std::min(optimum.cost, cost);
        if (one.layer == tiny.layer) optimum.own = std::min(optimum.own, cost);
        optimum.points.emplace_back(evaluation.latency_cycles, evaluation.total_energy_pj(one.machine));
      });
      if (!complete) return std::nullopt;
    }
    return optimum;
  }

  // Returns a random case. Three of four layers have a prime bound that an axis of 2 or 4 lanes accepts but
  // does not divide.
  static PimCase sample_of(std::uint64_t seed) {
    PimCase tiny = random_pim_case(seed + 3000, 12);
    Random random(seed);
    if (random.chance(0.25)) return tiny;
    constexpr std::array<Int, 4> primes{3, 5, 5, 7};
    const std::size_t d = random.below(group_dim_count);
    Int others = 1;
    for (std::size_t e = 0; e < dim_count; ++e) {
      Int& bound = tiny.layer.bounds[e];
      if (e == d) bound = primes[random.below(primes.size())];
      if (e != d && (others > 1 || random.chance(0.5))) bound = 1;
      if (e != d) others *= bound = std::min<Int>(bound, 2);
    }
    Axis& axis = tiny.machine.axes[random.below(tiny.machine.axes.size())];
    axis.dims.insert(static_cast<Dim>(d));
    axis.size = random.chance(0.5) ? 2 : 4;
    return tiny;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30U};
  mapper::Resources resources_{*executor_, memory_};
  static constexpr std::array<Int, 4> percents{20, 34, 67, 100};
};

TEST_F(PaddedOnPim, OptimaAndFrontsEqualBruteForceOverAllBounds) {
  const auto cases = setting("NESTOR_PIM_CASES", 100);
  const auto first = setting("NESTOR_PIM_SEED", 1);
  std::uint64_t compared = 0;
  std::uint64_t gained = 0;
  for (std::uint64_t seed = first; compared < cases; ++seed) {
    const PimCase tiny = sample_of(seed);
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<pim::ObjectiveKind>(seed % 3);
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    request.pareto = seed % 7 == 0;
    if (request.pareto) request.objective.kind = pim::ObjectiveKind::latency;
    const Int percent = percents[seed / 3 % percents.size()];
    auto best = brute_force(tiny, request, percent);
    if (!best || best->own == no_cost) continue;
    SCOPED_TRACE(seed);
    request.padding.percent = static_cast<double>(percent);
    const auto map = map_layer(tiny.layer, tiny.machine, request, resources_);
    ++compared;
    gained += best->cost < best->own * (1 - 1e-9) ? 1U : 0U;
    ASSERT_EQ(map.fault, mapper::Fault::none);
    ASSERT_EQ(map.status, Status::optimal);
    if (request.pareto) {
      std::sort(best->points.begin(), best->points.end());
      std::vector<std::pair<Int, double>> front;
      for (const auto& point : best->points)
        if (front.empty() || point.second < front.back().second * (1 - 1e-9)) front.push_back(point);
      ASSERT_EQ(map.front.size(), front.size());
      for (std::size_t i = 0; i < front.size(); ++i)
        ASSERT_EQ(map.front[i].evaluation.latency_cycles, front[i].first);
      continue;
    }
    ASSERT_NEAR(map.best.front().objective, best->cost, 2e-9 * std::abs(best->cost));
    ASSERT_NEAR(map.bound.value(), best->cost, 2e-9 * std::abs(best->cost));
  }
  std::cout << compared << " cases, " << gained << " gained\n";
  EXPECT_GE(gained, cases / 10);  // otherwise the test would be too weak
}

}  // namespace
}  // namespace nestor::tests::padding_test
