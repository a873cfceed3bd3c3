// Tests that the trace simulator of the pim space agrees with the model in every figure.
#include "sim/pim/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "model/pim/evaluate.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::replay_test {
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

// Checks every logged access against the rules in docs/models/pim.md: its step, its bank, its direction, and
// whether it opens its row.
TEST(PimReplay, LogsEveryAccessToDram) {
  const std::uint64_t cases = setting("NESTOR_PIM_REPLAYS", 400) / 4;
  std::uint64_t logged = 0;
  std::uint64_t written = 0;
  for (std::uint64_t seed = 1; logged < cases; ++seed) {
    const PimCase small = random_pim_case(seed, 200);
    pim::PimMapping mapping;
    if (!random_pim_mapping(small, seed, mapping)) continue;
    ++logged;
    sim::pim::AccessLog log{.most = 100'000, .accesses = {}};
    const auto replay = sim::pim::replay(small.layer, small.machine, mapping, {}, &log);
    ASSERT_EQ(log.complete, replay.accesses <= 100'000) << seed;
    ASSERT_EQ(log.accesses.size(), static_cast<std::size_t>(std::min<Int>(replay.accesses, 100'000))) << seed;
    if (!log.complete) continue;
    std::array<std::map<Int, Int>, operand_count> open;
    std::array<Int, operand_count> opened{};
    Int step = 0;
    for (const auto& access : log.accesses) {
      const auto x = index_of(access.operand);
      ASSERT_GE(access.step, step) << seed;
      ASSERT_LT(access.step, replay.steps) << seed;
      step = access.step;
      ASSERT_EQ(access.bank, access.row % small.machine.memories[small.machine.home(access.operand)].banks)
          << seed;
      ASSERT_TRUE(access.operand == Operand::O || !access.writes) << seed;
      const auto found = open[x].find(access.bank);
      ASSERT_EQ(access.opens, found == open[x].end() || found->second != access.row) << seed;
      open[x][access.bank] = access.row;
      opened[x] += static_cast<Int>(access.opens);
      written += static_cast<std::uint64_t>(access.writes);
    }
    ASSERT_EQ(opened, replay.activations) << seed;
  }
  EXPECT_GT(written, cases);
}

}  // namespace
}  // namespace nestor::tests::replay_test
