// The trace simulator of the pim space equals its model, figure by figure.
#include "sim/pim/replay.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/pim/evaluate.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::testing {
namespace {

TEST(PimReplay, EqualsTheModelOnRandomMappings) {
  const std::uint64_t cases = setting("NESTOR_PIM_REPLAYS", 400);
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  FeatureTally features;
  pim::RowCounter rows;
  std::uint64_t compared = 0;
  for (std::uint64_t i = 0; compared < cases; ++i) {
    const PimCase small = random_pim_case(seed + i, 300);
    pim::PimMapping mapping;
    if (!random_pim_mapping(small, seed + i, mapping)) continue;
    ++compared;
    tally(small, mapping, features);
    const auto model = pim::evaluate(small.layer, small.machine, mapping, rows);
    const auto replay = sim::pim::replay(small.layer, small.machine, mapping);
    const auto number = "seed " + std::to_string(seed + i);
    ASSERT_EQ(replay.status, sim::pim::ReplayEnd::complete) << number;
    ASSERT_EQ(replay.cycles, model.latency_cycles) << number;
    ASSERT_EQ(replay.activations, model.row_activations) << number;
    ASSERT_EQ(replay.bits, model.bits) << number;
    ASSERT_EQ(replay.steps, model.steps) << number;
    ASSERT_NEAR(replay.energy_pj, model.energy_pj, 1e-9 * std::abs(model.energy_pj)) << number;
  }
  for (const auto& [feature, count] : features)
    EXPECT_GE(count * 50, static_cast<int>(cases)) << "too rare to be tested: " << feature;
}

}  // namespace
}  // namespace nestor::testing
