// Tests of padded bounds. The optimum, the list of the best mappings and the front equal those that brute
// force finds over all mappings with any bounds within the percentage.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "model/cim/search/admission.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests::padding_test {
namespace {

using Point = std::pair<Int, double>;

class Padded : public ::testing::Test {
 protected:
  // Lists every shape within the percentage, by separate exact arithmetic.
  static std::vector<LayerShape> shapes_of(const LayerShape& layer, Int percent) {
    std::vector<LayerShape> shapes = {layer};
    for (std::size_t d = 0; d < group_dim_count; ++d)
      for (std::size_t i = shapes.size(); i-- > 0;)
        for (Int bound = layer.bounds[d] + 1; (bound - layer.bounds[d]) * 100 <= layer.bounds[d] * percent;
             ++bound) {
          LayerShape larger = shapes[i];
          larger.bounds[d] = bound;
          shapes.push_back(larger);
        }
    return shapes;
  }

  struct Optimum {
    double cost = no_cost;
    double own = no_cost;  // cost with the layer's original bounds
    std::vector<Point> points;
  };
  static std::optional<Optimum> brute_force(const RandomCase& sample, const mapper::CimRequest& request,
                                            Int percent) {
    const Architecture& machine = sample.architecture.machine;
    const auto objective = problem_of(sample.layer, machine, request).objective;
    const auto shapes = shapes_of(sample.layer, percent);
    if (shapes.size() > 48) return std::nullopt;
    Optimum optimum;
    for (const LayerShape& shape : shapes) {
      const bool complete = for_each_mapping(shape, machine, 20'000, [&](const Mapping& mapping) {
        const auto evaluation = cim::evaluate(shape, machine, mapping);
        const double cost = cim::objective_value(objective, evaluation, machine);
        optimum.cost = std::min(optimum.cost, cost);
        if (shape == sample.layer) optimum.own = std::min(optimum.own, cost);
        optimum.points.emplace_back(evaluation.cycles(objective.latency_model),
                                    evaluation.total_energy_pj(machine, objective.latency_model));
      });
      if (!complete) return std::nullopt;
    }
    return optimum;
  }

  // Returns a random case. About half of the layers have a prime bound that an axis of 2 or 4 lanes accepts
  // but does not divide.
  static RandomCase sample_of(std::uint64_t seed) {
    auto sample =
        random_case(seed + 7'000'000,
                    {.max_steps = 24, .max_loops = 3, .graded = seed % 4 != 0, .mirrored = seed % 5 == 0});
    Architecture& machine = sample.architecture.machine;
    Random random(seed);
    if (machine.axes.empty() || seed % 5 == 0 || random.chance(0.4)) return sample;
    constexpr std::array<Int, 4> primes{3, 5, 5, 7};
    const std::size_t d = random.below(group_dim_count);
    Int others = 1;
    for (std::size_t e = 0; e < dim_count; ++e) {
      Int& bound = sample.layer.bounds[e];
      if (e == d) bound = primes[random.below(primes.size())];
      if (e != d && others > 1) bound = 1;
      if (e != d) others *= bound = std::min<Int>(bound, 2);
    }
    Axis& axis = machine.axes[random.below(machine.axes.size())];
    axis.dims.insert(static_cast<Dim>(d));
    axis.size = random.chance(0.5) ? 2 : 4;
    return sample;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30U};
  mapper::Resources resources_{*executor_, memory_};
  static constexpr std::array<Int, 4> percents{20, 34, 50, 100};
};

TEST_F(Padded, OptimaEqualBruteForceOverAllBounds) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 120);
  std::uint64_t compared = 0;
  std::uint64_t gained = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    const auto sample = sample_of(seed);
    mapper::CimRequest request;
    request.objective.kind = static_cast<cim::ObjectiveKind>(seed % 5);
    request.objective.latency_model = seed % 2 == 0 ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
    if (request.objective.kind == cim::ObjectiveKind::eq14) request.objective.additive_weight = 0.05;
    const Int percent = percents[seed / 5 % percents.size()];
    const auto best = brute_force(sample, request, percent);
    if (!best) continue;
    SCOPED_TRACE(sample.describe());
    request.padding.percent = static_cast<double>(percent);
    const auto map = map_layer(sample.layer, sample.architecture.machine, request, resources_);
    ++compared;
    gained += best->cost < best->own * (1 - 1e-9) ? 1U : 0U;
    ASSERT_EQ(map.fault, mapper::Fault::none);
    ASSERT_EQ(map.status, Status::optimal);
    // Terms of eq14 may cancel each other.
    const double slack = 2e-9 * std::abs(best->cost) + 1e-12;
    ASSERT_NEAR(map.best.front().objective, best->cost, slack) << seed << " " << percent;
    ASSERT_NEAR(map.bound.value(), best->cost, slack);
  }
  std::cout << compared << " cases, " << gained << " gained\n";
  EXPECT_GE(gained, cases / 9);
}

TEST_F(Padded, FrontsEqualBruteForceOverAllBounds) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 120) / 3;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    const auto sample = sample_of(seed);
    mapper::CimRequest request;
    request.pareto = true;
    request.objective.latency_model = seed % 2 == 0 ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
    const Int percent = percents[seed % percents.size()];
    auto all = brute_force(sample, request, percent);
    if (!all) continue;
    ++compared;
    SCOPED_TRACE(sample.describe());
    std::sort(all->points.begin(), all->points.end());
    std::vector<Point> front;
    for (const Point& point : all->points)
      if (front.empty() || point.second < front.back().second * (1 - 1e-9)) front.push_back(point);
    request.padding.percent = static_cast<double>(percent);
    const auto map = map_layer(sample.layer, sample.architecture.machine, request, resources_);
    ASSERT_EQ(map.status, Status::optimal);
    ASSERT_EQ(map.front.size(), front.size()) << seed;
    for (std::size_t i = 0; i < front.size(); ++i) {
      ASSERT_EQ(map.front[i].evaluation.cycles(request.objective.latency_model), front[i].first);
      ASSERT_NEAR(map.front[i].evaluation.total_energy_pj(sample.architecture.machine,
                                                          request.objective.latency_model),
                  front[i].second, 2e-9 * front[i].second);
    }
  }
}

// Each list entry has the least cost for its bounds and spatial choice, and no other choice costs less.
TEST_F(Padded, ListsOfTheBestEqualBruteForceOverAllBounds) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 120) / 3;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    const auto sample = sample_of(seed);
    const Architecture& machine = sample.architecture.machine;
    mapper::CimRequest request;
    request.objective.kind = static_cast<cim::ObjectiveKind>(seed % 3);
    request.top = 6;
    const Int percent = percents[seed % percents.size()];
    const auto objective = problem_of(sample.layer, machine, request).objective;
    std::vector<double> costs;
    bool complete = true;
    for (const LayerShape& shape : shapes_of(sample.layer, percent)) {
      std::map<SpatialFactors, double> least;
      const auto problem = problem_of(shape, machine, request);
      const bool symmetric = is_symmetric(problem, machine);
      complete = complete && for_each_mapping(shape, machine, 5'000, [&](const Mapping& mapping) {
                   auto key = mapping.spatial;
                   auto other = key;
                   for (Extents& factors : other) {
                     std::swap(factors[index_of(Dim::P)], factors[index_of(Dim::Q)]);
                     std::swap(factors[index_of(Dim::R)], factors[index_of(Dim::S)]);
                   }
                   if (symmetric) key = std::min(key, other);
                   const double cost =
                       cim::objective_value(objective, cim::evaluate(shape, machine, mapping), machine);
                   const auto [at, added] = least.emplace(key, cost);
                   at->second = std::min(at->second, cost);
                 });
      for (const auto& [key, cost] : least) costs.push_back(cost);
    }
    if (!complete) continue;
    ++compared;
    SCOPED_TRACE(sample.describe());
    std::sort(costs.begin(), costs.end());
    costs.resize(std::min(costs.size(), request.top));
    request.padding.percent = static_cast<double>(percent);
    const auto map = map_layer(sample.layer, machine, request, resources_);
    ASSERT_EQ(map.best.size(), costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i)
      ASSERT_NEAR(map.best[i].objective, costs[i], 2e-9 * std::abs(costs[i])) << seed << " rank " << i;
  }
}

}  // namespace
}  // namespace nestor::tests::padding_test
