// Tests of merged factors on PIM machines. The optimum equals the least cost that brute force finds among all
// mappings that consist of the merged factors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "mapper/pim/map_layer.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::flexible_test {
namespace {

using Factors = std::vector<Int>;

// True if `factors` can be divided into groups with these products.
bool divides_into(const Factors& factors, Factors products, std::size_t at = 0) {
  if (at == factors.size())
    return std::all_of(products.begin(), products.end(), [](Int p) { return p == 1; });
  for (Int& product : products) {
    if (product % factors[at] != 0) continue;
    product /= factors[at];
    if (divides_into(factors, products, at + 1)) return true;
    product *= factors[at];
  }
  return false;
}

// True if the loops and axis factors of each dimension are products of the factors in its set.
bool is_made_of(const FactorSets& sets, const PimCase& tiny, const Mapping& nest) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    Factors products;
    for (std::size_t a = 0; a < tiny.machine.axes.size(); ++a) products.push_back(nest.spatial[a][d]);
    for (const Loop& loop : nest.loops)
      if (index_of(loop.dim) == d) products.push_back(loop.factor);
    Factors factors;
    for (const auto& factor : sets[d].factors) factors.insert(factors.end(), factor.count, factor.value);
    if (!divides_into(factors, products)) return false;
  }
  return true;
}

std::size_t front_size(std::vector<std::pair<Int, double>> points) {
  std::sort(points.begin(), points.end());
  std::size_t size = 0;
  double least = no_cost;
  for (const auto& [cycles, energy] : points) {
    if (energy >= least * (1 - 1e-9)) continue;
    ++size;
    least = energy;
  }
  return size;
}

TEST(FlexibleOnPim, OptimaEqualBruteForceOverMergedFactors) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory{std::size_t{1} << 30U};
  const mapper::Resources resources{*executor, memory};
  const auto cases = setting("NESTOR_PIM_CASES", 40);
  std::uint64_t compared = 0;
  std::uint64_t costlier = 0;  // costlier than with all prime factors
  for (std::uint64_t seed = setting("NESTOR_PIM_SEED", 1); compared < cases; ++seed) {
    PimCase tiny = random_pim_case(seed + 9000, 12);
    tiny.layer.bounds[seed % group_dim_count] = seed % 2 == 0 ? 8 : 12;
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<pim::ObjectiveKind>(seed % 3);
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    request.flexible = FlexibleFactors{.least_factors = 1, .most_loss = 0.9};
    request.pareto = seed % 7 == 0;
    if (request.pareto) request.objective.kind = pim::ObjectiveKind::latency;
    const auto problem = problem_of(tiny.layer, tiny.machine, request);
    std::vector<std::pair<Int, double>> points;
    double best = no_cost;
    double best_of_all = no_cost;
    pim::RowCounter rows;
    const bool complete = each_pim_mapping(tiny, 8000, [&](const pim::PimMapping& mapping) {
      const auto evaluation = evaluate(tiny.layer, tiny.machine, mapping, rows);
      const double cost = objective_value(problem.objective, evaluation);
      best_of_all = std::min(best_of_all, cost);
      if (!is_made_of(problem.factors, tiny, mapping.nest)) return;
      best = std::min(best, cost);
      points.emplace_back(evaluation.latency_cycles, evaluation.total_energy_pj(tiny.machine));
    });
    if (!complete || best_of_all == no_cost) continue;
    SCOPED_TRACE(seed);
    ++compared;
    costlier += best > best_of_all * (1 + 1e-9) ? 1U : 0U;
    const auto map = map_layer(tiny.layer, tiny.machine, request, resources);
    ASSERT_EQ(map.fault, mapper::Fault::none);
    if (best == no_cost) {
      ASSERT_EQ(map.status, Status::infeasible);
      continue;
    }
    ASSERT_EQ(map.status, Status::optimal);
    if (request.pareto) {
      ASSERT_EQ(map.front.size(), front_size(points));
      continue;
    }
    ASSERT_NEAR(map.best.front().objective, best, 2e-9 * std::abs(best));
    ASSERT_TRUE(is_made_of(problem.factors, tiny, map.best.front().mapping.nest));
  }
  std::cout << compared << " cases, " << costlier << " costlier\n";
  EXPECT_GE(costlier, cases / 10);  // otherwise the test would be too weak
}

}  // namespace
}  // namespace nestor::tests::flexible_test
