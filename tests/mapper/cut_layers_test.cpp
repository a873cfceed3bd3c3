// Tests of layers that are cut into two parts. The least cost over all cuts equals the least cost that brute
// force finds over all mappings of all parts.
#include "mapper/cim/cut_layers.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests::cut_layers_test {
namespace {

class CutLayers : public ::testing::Test {
 protected:
  // Returns a random case. Most cases have a prime bound that an axis of 2 or 4 lanes accepts but does not
  // divide.
  static RandomCase sample_of(std::uint64_t seed) {
    auto sample = random_case(seed + 9'000'000, {.max_steps = 24, .max_loops = 3, .graded = seed % 4 != 0});
    Random random(seed);
    const Dim dim = cut_dims[random.below(cut_dims.size())];
    if (dim == Dim::G) return sample;
    for (Int& bound : sample.layer.bounds) bound = std::min<Int>(bound, 2);
    sample.layer.bounds[index_of(dim)] = random.chance(0.5) ? 5 : 7;
    if (sample.architecture.machine.axes.empty()) return sample;
    Axis& axis = sample.architecture.machine.axes[random.below(sample.architecture.machine.axes.size())];
    axis.dims.insert(dim);
    axis.size = random.chance(0.5) ? 2 : 4;
    return sample;
  }

  // Returns the least cost of a shape, no_cost if it has no mapping, or nullopt if it has too many mappings.
  static std::optional<double> brute_force(const LayerShape& shape, const Architecture& machine,
                                           const mapper::CimRequest& request) {
    const auto objective = mapper::problem_of(shape, machine, request).objective;
    double least = no_cost;
    const bool complete = for_each_mapping(shape, machine, 20'000, [&](const Mapping& mapping) {
      least =
          std::min(least, cim::objective_value(objective, cim::evaluate(shape, machine, mapping), machine));
    });
    return complete ? std::optional(least) : std::nullopt;
  }

  struct Optimum {
    double whole = no_cost;
    double best = no_cost;
  };
  static std::optional<Optimum> brute_force_of_cuts(const RandomCase& sample,
                                                    const mapper::CimRequest& request) {
    const auto& machine = sample.architecture.machine;
    const auto whole = brute_force(sample.layer, machine, request);
    if (!whole) return std::nullopt;
    Optimum optimum{*whole, *whole};
    for (const Dim dim : cut_dims)
      for (Int first = 1; first < sample.layer.bounds[index_of(dim)]; ++first) {
        LayerShape parts[2] = {sample.layer, sample.layer};
        parts[0].bounds[index_of(dim)] = first;
        parts[1].bounds[index_of(dim)] -= first;
        double sum = 0;
        for (const auto& part : parts) {
          const auto cost = brute_force(part, machine, request);
          if (!cost) return std::nullopt;
          sum += *cost;
        }
        optimum.best = std::min(optimum.best, sum);
      }
    return optimum;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30U};
  mapper::Resources resources_{*executor_, memory_};
};

TEST_F(CutLayers, LeastCostEqualsBruteForceOverAllCuts) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 120);
  std::uint64_t compared = 0;
  std::uint64_t gained = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    const auto sample = sample_of(seed);
    mapper::CimRequest request;
    request.objective.kind = seed % 2 == 0 ? cim::ObjectiveKind::latency : cim::ObjectiveKind::energy;
    request.objective.latency_model = seed % 3 == 0 ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
    const auto optimum = brute_force_of_cuts(sample, request);
    if (!optimum) continue;
    SCOPED_TRACE(sample.describe());
    ++compared;
    const Layer layer{.name = "layer", .shape = sample.layer};
    const auto network = mapper::cut_layers({layer}, sample.architecture.machine, request, resources_);
    ASSERT_TRUE(network.proved());
    const bool gains = optimum->best < optimum->whole * (1 - 1e-9);
    ASSERT_EQ(network.cuts.size(), gains ? 1U : 0U);
    ASSERT_EQ(network.layers.size(), gains ? 2U : 1U);
    if (!gains) continue;
    ++gained;
    const auto& cut = network.cuts.front();
    ASSERT_NEAR(cut.cost, optimum->best, 1e-9 * optimum->best);
    ASSERT_TRUE(are_parts(layer, network.layers[0], network.layers[1]));
    double sum = 0;
    for (const auto& part : network.layers)
      sum += map_layer(part.shape, sample.architecture.machine, request, resources_).best.front().objective;
    ASSERT_NEAR(sum, cut.cost, 1e-9 * sum);
    if (optimum->whole == no_cost) {
      ASSERT_EQ(cut.whole_cost, no_cost);
    } else {
      ASSERT_NEAR(cut.whole_cost, optimum->whole, 1e-9 * optimum->whole);
    }
  }
  std::cout << compared << " cases, " << gained << " gained\n";
  EXPECT_GE(gained, cases / 9);
}

}  // namespace
}  // namespace nestor::tests::cut_layers_test
