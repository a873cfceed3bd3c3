// Tests of the choice of one front point for each copy of every layer, for the network's objective. On random
// small fronts, it is compared with all combinations; on the fronts of a shipped network, with dynamic
// programming.
#include "mapper/loopnest/network_choice.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "base/random.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/map_network.h"

namespace nestor::mapper::network_choice_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Returns points that do not dominate each other, most of them not on the convex hull. Energies are on a
// grid, so that ties and collinear points occur.
LayerFront random_front(Random& random, std::size_t most_points, Int most_copies) {
  LayerFront front;
  front.copies = random.between(1, most_copies);
  const auto count = 1 + random.below(most_points);
  Int latency = random.between(1, 20);
  double energy = static_cast<double>(random.between(50, 200));
  for (std::size_t i = 0; i < count; ++i) {
    front.points.push_back({latency, energy});
    latency += random.between(1, 15);
    energy -= static_cast<double>(random.between(1, 12));
    if (energy <= 0) break;
  }
  return front;
}

void visit_totals(std::span<const LayerFront> layers, const std::function<void(double, double)>& visit,
                  std::size_t layer = 0, Int copy = 0, double latency = 0, double energy = 0) {
  if (layer == layers.size()) return visit(latency, energy);
  if (copy == layers[layer].copies) return visit_totals(layers, visit, layer + 1, 0, latency, energy);
  for (const auto& point : layers[layer].points)
    visit_totals(layers, visit, layer, copy + 1, latency + static_cast<double>(point.latency),
                 energy + point.energy);
}

NetworkObjective random_objective(Random& random, std::span<const LayerFront> layers) {
  constexpr std::array kinds = {ObjectiveKind::edp, ObjectiveKind::blended, ObjectiveKind::latency,
                                ObjectiveKind::energy};
  NetworkObjective objective{.kind = kinds[random.below(kinds.size())],
                             .latency_weight = static_cast<double>(random.between(0, 5)),
                             .energy_weight = static_cast<double>(random.between(0, 5))};
  std::array<double, 2> least = {0, 0};
  std::array<double, 2> most = {0, 0};
  for (const auto& layer : layers) {
    const auto copies = static_cast<double>(layer.copies);
    least[0] += copies * static_cast<double>(layer.points.front().latency);
    most[0] += copies * static_cast<double>(layer.points.back().latency);
    least[1] += copies * layer.points.back().energy;
    most[1] += copies * layer.points.front().energy;
  }
  const auto limit = [&](std::size_t i) {
    return std::floor(least[i] + (most[i] - least[i]) * (random.unit() * 1.2 - 0.1));
  };
  const auto limits = random.below(4);
  if (limits & 1U) objective.latency_limit = limit(0);
  if (limits & 2U) objective.energy_limit = limit(1);
  return objective;
}

void expect_sums(std::span<const LayerFront> layers, const NetworkChoice& choice) {
  double latency = 0;
  double energy = 0;
  ASSERT_EQ(choice.layers.size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Int copies = 0;
    for (const auto& at : choice.layers[i]) {
      ASSERT_LT(at.point, layers[i].points.size());
      copies += at.copies;
      latency += static_cast<double>(layers[i].points[at.point].latency * at.copies);
      energy += layers[i].points[at.point].energy * static_cast<double>(at.copies);
    }
    EXPECT_EQ(copies, layers[i].copies);
  }
  EXPECT_EQ(choice.latency, latency);
  EXPECT_NEAR(choice.energy, energy, 1e-9 * energy);
}

TEST(NetworkChoice, EqualsEveryCombinationOfSmallFronts) {
  int unlimited_edp = 0;
  int infeasible = 0;
  int mixed = 0;
  int unsupported = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    std::vector<LayerFront> layers;
    for (std::size_t i = 1 + random.below(4); i > 0; --i) layers.push_back(random_front(random, 6, 2));
    const auto objective = random_objective(random, layers);
    SCOPED_TRACE("seed " + std::to_string(seed));
    double expected = infinity;
    visit_totals(layers, [&](double latency, double energy) {
      if (objective.latency_limit && latency > *objective.latency_limit) return;
      if (objective.energy_limit && energy > *objective.energy_limit) return;
      expected = std::min(expected, objective.value(latency, energy));
    });
    const auto choice = choose_points(layers, objective, StopSource());
    const bool limited = objective.latency_limit || objective.energy_limit;
    if (!std::isfinite(expected)) {
      EXPECT_EQ(choice.status, Status::infeasible);
      EXPECT_TRUE(choice.layers.empty());
      ++infeasible;
      continue;
    }
    ASSERT_EQ(choice.status, Status::optimal);
    EXPECT_NEAR(choice.objective, expected, 1e-9 * expected);
    EXPECT_EQ(choice.lower_bound, choice.objective);
    expect_sums(layers, choice);
    for (const auto& layer : choice.layers) {
      mixed += layer.size() > 1 ? 1 : 0;
      if (!limited) {
        EXPECT_EQ(layer.size(), 1U);  // all copies use the same point
      }
    }
    unlimited_edp += !limited && objective.kind == ObjectiveKind::edp ? 1 : 0;
    unsupported += limited ? 1 : 0;
  }
  EXPECT_GT(unlimited_edp, 10);
  EXPECT_GT(infeasible, 10);
  EXPECT_GT(mixed, 10);
  EXPECT_GT(unsupported, 150);
}

TEST(NetworkChoice, BoundsStoppedChoicesAndUnprovedFronts) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<LayerFront> layers;
    for (int i = 0; i < 4; ++i) layers.push_back(random_front(random, 6, 2));
    const auto objective = random_objective(random, layers);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto whole = choose_points(layers, objective, StopSource());
    const auto stopped = choose_points(layers, objective, StopSource(), 1 + random.below(20));
    auto fewer = layers;
    auto& cut = fewer[random.below(fewer.size())];
    cut.proved = false;
    cut.least = {cut.points.front().latency, cut.points.back().energy};
    cut.points.erase(cut.points.begin() + static_cast<std::ptrdiff_t>(random.below(cut.points.size())));
    if (cut.points.empty()) continue;
    const auto unproved = choose_points(fewer, objective, StopSource());
    if (whole.status == Status::infeasible) continue;
    for (const auto& part : {stopped, unproved}) {
      EXPECT_NE(part.status, Status::infeasible);
      EXPECT_LE(part.lower_bound, whole.objective * (1 + 1e-9));
      if (!part.layers.empty()) {
        EXPECT_GE(part.objective, whole.objective * (1 - 1e-9));
      }
    }
  }
}

// Computes the nondominated totals copy by copy, without bounds, and returns the least EDP.
double least_edp(std::span<const LayerFront> layers) {
  std::map<Int, double> totals = {{0, 0.0}};
  for (const auto& layer : layers)
    for (Int copy = 0; copy < layer.copies; ++copy) {
      std::map<Int, double> next;
      for (const auto& [latency, energy] : totals)
        for (const auto& point : layer.points) {
          const auto [at, is_new] = next.try_emplace(latency + point.latency, energy + point.energy);
          if (!is_new) at->second = std::min(at->second, energy + point.energy);
        }
      totals.clear();
      double least = infinity;
      for (const auto& [latency, energy] : next)
        if (energy < least) {
          totals.emplace(latency, energy);
          least = energy;
        }
    }
  double best = infinity;
  for (const auto& [latency, energy] : totals) best = std::min(best, static_cast<double>(latency) * energy);
  return best;
}

TEST(NetworkChoice, EqualsDynamicProgrammingOnTheFrontsOfANetwork) {
  const auto network = io::read_layers("mlperf-tiny-autoencoder", {});
  const auto machine = io::read_architecture("miredo-default");
  ASSERT_TRUE(network);
  ASSERT_TRUE(machine);
  const auto shapes = unique_shapes(network->layers);
  ASSERT_TRUE(shapes);
  CimRequest request;
  request.pareto = true;
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  const auto maps = map_network(std::span<const Layer>(network->layers), std::span(shapes->shapes),
                                machine->machine, request, Resources{*executor, memory});
  std::vector<LayerFront> layers;
  std::size_t points = 0;
  double latency = 0;
  double energy = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    ASSERT_EQ(maps[i].status, Status::optimal);
    auto& layer = layers.emplace_back();
    layer.copies = shapes->shapes[i].repeat;
    FrontPoint own;  // the point with the layer's least EDP
    double own_edp = infinity;
    for (const auto& point : maps[i].front) {
      const FrontPoint at{
          point.evaluation.cycles(request.objective.latency_model),
          point.evaluation.total_energy_pj(machine->machine, request.objective.latency_model)};
      layer.points.push_back(at);
      if (const double edp = static_cast<double>(at.latency) * at.energy; edp < own_edp) {
        own_edp = edp;
        own = at;
      }
    }
    points += layer.points.size();
    latency += static_cast<double>(own.latency * layer.copies);
    energy += own.energy * static_cast<double>(layer.copies);
  }
  const auto choice = choose_points(layers, {.kind = ObjectiveKind::edp}, StopSource());
  ASSERT_EQ(choice.status, Status::optimal);
  expect_sums(layers, choice);
  const double expected = least_edp(layers);
  EXPECT_NEAR(choice.objective, expected, 1e-9 * expected);
  EXPECT_LE(choice.objective, latency * energy * (1 + 1e-12));
  EXPECT_GT(points, maps.size()) << "every front is one point: nothing was chosen";
  RecordProperty("points", static_cast<int>(points));
  RecordProperty("gain_over_layers", std::to_string(latency * energy / choice.objective));
}

}  // namespace
}  // namespace nestor::mapper::network_choice_test
