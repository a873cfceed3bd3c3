// Test of the replay on the reference cases. Every cycle count is exact, whether or not the replay skips
// repeated stretches.
#include <gtest/gtest.h>

#include "sim/cim/replay.h"
#include "support/reference_data.h"

namespace nestor::sim::cim::replay_reference_test {
namespace {

class ReplayReference : public ::testing::TestWithParam<const char*> {};

TEST_P(ReplayReference, CyclesAreExact) {
  const auto cases = nestor::tests::load_reference_cases(GetParam());
  if (cases.empty()) GTEST_SKIP() << "reference file " << GetParam() << " is not on this machine";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& reference = cases[i];
    for (const bool plain : {true, false}) {
      const auto result =
          replay(reference.layer, reference.architecture.machine, reference.mapping, {.plain = plain});
      ASSERT_EQ(result.status, ReplayStatus::complete);
      EXPECT_EQ(result.cycles, reference.replay_cycles) << "case " << i << (plain ? ", plain" : ", skipping");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sim, ReplayReference,
                         ::testing::Values("examples.json", "mappings.json", "tiny.json"));

}  // namespace
}  // namespace nestor::sim::cim::replay_reference_test
