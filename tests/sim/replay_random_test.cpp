// Tests that compare the replay of random machines and mappings with a literal implementation of section 10
// of docs/models/cim.md, and the replay that skips repeated stretches with the full replay.
#include <gtest/gtest.h>

#include <iostream>

#include "sim/cim/replay.h"
#include "sim/literal_replay.h"
#include "support/case_features.h"
#include "support/random_cases.h"

namespace nestor::sim::cim::replay_random_test {
namespace {

using tests::FeatureCount;
using tests::RandomCase;

void expect_equal(const ReplayResult& a, const ReplayResult& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.stalls, b.stalls);
  EXPECT_EQ(a.tail_cycles, b.tail_cycles);
  ASSERT_EQ(a.ports.size(), b.ports.size());
  for (std::size_t p = 0; p < a.ports.size(); ++p) {
    EXPECT_EQ(a.ports[p].inward, b.ports[p].inward) << "port " << p;
    EXPECT_EQ(a.ports[p].outward, b.ports[p].outward) << "port " << p;
    EXPECT_EQ(a.buffers[p].buffer_cycles, b.buffers[p].buffer_cycles) << "buffer " << p;
    EXPECT_EQ(a.buffers[p].peak_buffers, b.buffers[p].peak_buffers) << "buffer " << p;
  }
}

void expect_equal(const ReplayResult& found, const tests::LiteralReplay& expected) {
  EXPECT_EQ(found.cycles, expected.cycles);
  EXPECT_EQ(found.stalls, expected.stalls);
  ASSERT_EQ(found.ports.size(), expected.levels.size());
  for (std::size_t p = 0; p < found.ports.size(); ++p) {
    EXPECT_EQ(found.ports[p].operand, expected.levels[p].operand);
    EXPECT_EQ(found.ports[p].inner, expected.levels[p].memory);
    EXPECT_EQ(found.ports[p].inward, expected.levels[p].fetches) << "port " << p;
    EXPECT_EQ(found.ports[p].outward, expected.levels[p].write_backs) << "port " << p;
    EXPECT_EQ(found.buffers[p].buffer_cycles, expected.levels[p].buffer_cycles) << "buffer " << p;
    EXPECT_EQ(found.buffers[p].peak_buffers, expected.levels[p].peak_buffers) << "buffer " << p;
  }
}

void expect_balanced(const ReplayResult& result, Int mvm_cycles) {
  Int waited = 0;
  for (const Int stall : result.stalls) waited += stall;
  EXPECT_EQ(result.cycles, result.steps * mvm_cycles + waited + result.tail_cycles);
}

TEST(ReplayRandom, PlainReplayEqualsTheLiteralReplay) {
  constexpr std::uint64_t cases = 4000;
  FeatureCount features;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    // One mapping in four is not canonical, since the replay does not rely on the canonical form.
    const RandomCase random = tests::random_case(
        seed, {.canonical = seed % 4 != 0, .any_relevance = seed % 8 == 5, .groups = seed % 8 == 3});
    const Architecture& machine = random.architecture.machine;
    features.add(machine, random.layer, random.mapping);
    SCOPED_TRACE(random.describe());
    const auto result = replay(random.layer, machine, random.mapping, {.plain = true});
    ASSERT_EQ(result.status, ReplayStatus::complete);
    EXPECT_EQ(result.steps_simulated, result.steps);
    expect_balanced(result, machine.mvm_cycles);
    expect_equal(result, tests::literal_replay(random.layer, machine, random.mapping));
  }
  EXPECT_EQ(features.below_five_per_cent(), "");
  std::cout << cases << " cases: " << features.to_string() << "\n";
}

class ReplaySkipping : public ::testing::TestWithParam<tests::RandomCaseOptions> {};

TEST_P(ReplaySkipping, ChangesNothing) {
  constexpr std::uint64_t cases = 4000;
  FeatureCount features;
  Int steps = 0;
  Int simulated = 0;
  std::size_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    const RandomCase random = tests::random_case(seed, GetParam());
    const Architecture& machine = random.architecture.machine;
    features.add(machine, random.layer, random.mapping);
    SCOPED_TRACE(random.describe());
    const auto plain = replay(random.layer, machine, random.mapping, {.plain = true});
    const auto fast = replay(random.layer, machine, random.mapping);
    ASSERT_EQ(fast.status, ReplayStatus::complete);
    expect_equal(fast, plain);
    steps += fast.steps;
    simulated += fast.steps_simulated;
    skipped += fast.skipped() ? 1U : 0U;
  }
  EXPECT_EQ(features.below_five_per_cent(), "");
  EXPECT_GT(2 * skipped, cases) << "too few cases skipped anything for this to mean much";
  std::cout << cases << " cases: " << skipped << " skipped; " << simulated << " of " << steps
            << " steps simulated; " << features.to_string() << "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Sim, ReplaySkipping,
    ::testing::Values(tests::RandomCaseOptions{.max_steps = 60'000, .max_loops = 12, .long_loops = false},
                      tests::RandomCaseOptions{.max_steps = 40'000, .max_loops = 8, .long_loops = true}),
    [](const auto& instance) { return instance.param.long_loops ? "LongLoops" : "ShortLoops"; });

}  // namespace
}  // namespace nestor::sim::cim::replay_random_test
