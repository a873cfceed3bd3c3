// Tests of the proof of eq14 in two searches, the first for the least latency. The results are compared with
// all mappings of random tiny cases. The weights of sizes either only break ties or outweigh cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "mapper/cim/map_layer.h"
#include "model/loopnest/search/spatial_choice.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::mapper::eq14_test {
namespace {

using nestor::tests::RandomCase;
using nestor::tests::setting;

SpatialFactors mirrored(const SpatialFactors& spatial) {
  SpatialFactors twin = spatial;
  for (std::size_t a = 0; a < max_axes; ++a)
    for (const Dim dim : all_dims) twin[a][index_of(mirror(dim))] = spatial[a][index_of(dim)];
  return twin;
}

struct AllMappings {
  double best = no_cost;
  std::map<SpatialFactors, double> best_of;  // the smaller of two mirrored choices is the key
  double worst_of_least_latency = no_bound;  // highest cost of the mappings with the least latency
};

std::optional<AllMappings> all_mappings(const RandomCase& sample, const cim::CimObjective& objective) {
  const Architecture& machine = sample.architecture.machine;
  const bool symmetric = is_symmetric(make_problem(sample.layer, machine, objective), machine);
  AllMappings all;
  Int least = std::numeric_limits<Int>::max();
  const bool complete =
      nestor::tests::for_each_mapping(sample.layer, machine, 20'000, [&](const Mapping& mapping) {
        const auto evaluation = cim::evaluate(sample.layer, machine, mapping);
        const double cost = cim::objective_value(objective, evaluation, machine);
        const Int cycles = evaluation.cycles(objective.latency_model);
        all.best = std::min(all.best, cost);
        const SpatialFactors key =
            symmetric ? std::min(mapping.spatial, mirrored(mapping.spatial)) : mapping.spatial;
        const auto [entry, added] = all.best_of.try_emplace(key, cost);
        entry->second = std::min(entry->second, cost);
        if (cycles < least) all.worst_of_least_latency = no_bound;
        least = std::min(least, cycles);
        if (cycles == least) all.worst_of_least_latency = std::max(all.worst_of_least_latency, cost);
      });
  if (!complete || all.best == no_cost) return std::nullopt;
  return all;
}

TEST(Eq14, IsOptimalForAnyWeights) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) * 2;
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  const Resources resources{*executor, memory};
  std::uint64_t ties = 0;     // cases in which sizes decide between mappings of equal latency
  std::uint64_t heavy = 0;    // cases in which sizes outweigh a cycle
  std::uint64_t tiny = 0;     // cases in which cycles have almost no weight
  std::uint64_t stopped = 0;  // searches that a work limit stopped early
  std::uint64_t pairs = 0;    // cases with a second-best unrolling
  std::uint64_t done = 0;
  for (std::uint64_t seed = 1; done < cases; ++seed) {
    const auto sample = nestor::tests::random_case(
        seed + 8'000'000, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0});
    const Architecture& machine = sample.architecture.machine;
    Random random(seed);
    CimRequest request;
    auto& objective = request.objective;
    objective.kind = cim::ObjectiveKind::eq14;
    objective.latency_model = random.chance(0.5) ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
    objective.latency_weight = random.chance(0.7) ? 1 : 0.25 * static_cast<double>(1 + random.below(20));
    const double light = cim::default_eq14_weight(machine);
    const bool outweigh = random.chance(0.3);
    const bool light_cycles = random.chance(0.2);
    if (light_cycles) objective.latency_weight *= std::ldexp(1.0, -static_cast<int>(random.below(80)));
    objective.additive_weight = outweigh ? light * 3000 * static_cast<double>(1 + random.below(20)) : light;
    const auto all = all_mappings(sample, objective);
    if (!all) continue;
    SCOPED_TRACE(sample.describe());
    ++done;
    tiny += static_cast<std::uint64_t>(light_cycles);
    heavy += static_cast<std::uint64_t>(-cim::additive_floor(cim::make_problem(
                                            sample.layer, machine, objective)) >= objective.latency_weight);
    const double tolerance = 1e-9 * std::abs(all->best);
    ties += static_cast<std::uint64_t>(all->worst_of_least_latency > all->best + tolerance);

    request.top = seed % 5 == 0 ? 2 : 1;
    const auto found = map_layer(sample.layer, machine, request, resources);
    ASSERT_EQ(found.status, Status::optimal);
    ASSERT_EQ(found.fault, Fault::none);
    ASSERT_NEAR(found.best.front().objective, all->best, tolerance);
    ASSERT_NEAR(*found.bound, all->best, tolerance);
    if (request.top == 2) {
      std::vector<double> unrollings;
      for (const auto& [unrolling, cost] : all->best_of) unrollings.push_back(cost);
      std::sort(unrollings.begin(), unrollings.end());
      ASSERT_EQ(found.best.size(), std::min<std::size_t>(2, unrollings.size()));
      if (unrollings.size() > 1) {
        ++pairs;
        ASSERT_NEAR(found.best.back().objective, unrollings[1], tolerance);
      }
    }
    double before = no_cost;
    for (const auto& incumbent : found.search.incumbents) {
      ASSERT_LE(incumbent.objective, before);
      before = incumbent.objective;
    }

    for (int tries = 0; tries < 4; ++tries) {
      request.work_limit = 1 + random.below(1 + found.search.counts.expanded);
      const auto cut_short = map_layer(sample.layer, machine, request, resources);
      stopped += static_cast<std::uint64_t>(cut_short.status == Status::work_limit);
      ASSERT_EQ(cut_short.fault, Fault::none);
      if (!cut_short.search.incumbents.empty()) {
        ASSERT_FALSE(cut_short.best.empty());
        ASSERT_LE(cut_short.best.front().objective, cut_short.search.incumbents.back().objective + tolerance)
            << "found, and lost";
      }
      if (cut_short.bound) {
        ASSERT_LE(*cut_short.bound, all->best + tolerance);
      }
      if (!cut_short.best.empty()) {
        ASSERT_GE(cut_short.best.front().objective, all->best - tolerance);
      }
    }
  }
  std::printf(
      "%llu cases: %llu decided by sizes, %llu with sizes heavier than a cycle, %llu cut short, "
      "%llu second unrollings, %llu with light cycles\n",
      static_cast<unsigned long long>(done), static_cast<unsigned long long>(ties),
      static_cast<unsigned long long>(heavy), static_cast<unsigned long long>(stopped),
      static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(tiny));
  EXPECT_GE(ties * 20, cases);
  EXPECT_GE(heavy * 20, cases);
  EXPECT_GE(stopped * 20, cases);
  EXPECT_GE(pairs * 20, cases);
}

}  // namespace
}  // namespace nestor::mapper::eq14_test
