// Test of --top K. The K best spatial choices of random tiny cases, each with its best mapping, are compared
// with all mappings.
#include <gtest/gtest.h>

#include <map>

#include "mapper/cim/map_layer.h"
#include "model/cim/search/objective.h"
#include "support/brute_force.h"
#include "support/random_cases.h"

namespace nestor::mapper::top_test {
namespace {

SpatialFactors mirrored(SpatialFactors spatial) {
  for (Extents& axis : spatial) {
    std::swap(axis[index_of(Dim::P)], axis[index_of(Dim::Q)]);
    std::swap(axis[index_of(Dim::R)], axis[index_of(Dim::S)]);
  }
  return spatial;
}

TEST(Top, IsTheBestMappingOfEachOfTheBestSpatialChoices) {
  constexpr std::size_t top = 4;
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory(std::size_t{1} << 30);
  std::size_t full = 0;
  std::size_t few = 0;
  for (std::uint64_t seed = 1; full < 20; ++seed) {
    const auto sample =
        nestor::tests::random_case(seed + 6'000'000, {.max_steps = 24, .max_loops = 3, .graded = true});
    const Architecture& machine = sample.architecture.machine;
    CimRequest request;
    request.top = top;
    request.objective.kind = static_cast<cim::ObjectiveKind>(seed % 3);
    auto objective = request.objective;
    objective.leakage = machine.leakage;
    std::map<SpatialFactors, double> best;
    const bool complete =
        nestor::tests::for_each_mapping(sample.layer, machine, 20'000, [&](const Mapping& mapping) {
          const double cost =
              cim::objective_value(objective, cim::evaluate(sample.layer, machine, mapping), machine);
          const auto [entry, added] = best.try_emplace(mapping.spatial, cost);
          entry->second = std::min(entry->second, cost);
        });
    if (!complete || best.empty()) continue;
    SCOPED_TRACE(sample.describe());
    const auto found = map_layer(sample.layer, machine, request, {*executor, memory});
    ASSERT_EQ(found.status, Status::optimal);
    ASSERT_EQ(found.fault, Fault::none);
    ASSERT_FALSE(found.best.empty());
    double last = no_bound;
    for (const auto& mapped : found.best) {
      ASSERT_TRUE(best.contains(mapped.mapping.spatial)) << "the same choice twice";
      EXPECT_NEAR(mapped.objective, best[mapped.mapping.spatial], 1e-9 * std::abs(mapped.objective));
      EXPECT_GE(mapped.objective, last);
      last = mapped.objective;
      best.erase(mapped.mapping.spatial);
    }
    // All other choices are no better, or mirror a choice of the list.
    for (const auto& [spatial, cost] : best) {
      bool is_mirror = false;
      for (const auto& mapped : found.best) is_mirror |= mirrored(spatial) == mapped.mapping.spatial;
      if (found.best.size() < top)
        EXPECT_TRUE(is_mirror);
      else
        EXPECT_TRUE(is_mirror || cost >= last - 1e-9 * std::abs(last)) << cost << " before " << last;
    }
    if (::testing::Test::HasFailure()) return;
    ++(found.best.size() == top ? full : few);
  }
  EXPECT_GT(few, 0U);
}

}  // namespace
}  // namespace nestor::mapper::top_test
