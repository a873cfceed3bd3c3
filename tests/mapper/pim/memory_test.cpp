// Test of mapping with little memory. The result is the optimum, or the search stops at the memory limit with
// a valid bound. Searches release their tables between turns, and their solutions must remain intact.
#include <gtest/gtest.h>

#include "mapper/pim/map_layer.h"
#include "model/pim/search/admission.h"
#include "support/pim_cases.h"

namespace nestor::tests::memory_test {
namespace {

TEST(PimMemory, ShortageGivesLegalMappingsAndValidBounds) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  int optimal = 0;
  int stopped = 0;
  int stopped_with_mapping = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const PimCase sample = random_pim_case(seed, 4096);
    if (admit(sample.layer, sample.machine) != Refusal::none) continue;
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<ObjectiveKind>(seed % 3);
    const auto map = [&](std::size_t bytes) {
      MemoryBudget memory(bytes);
      return map_layer(sample.layer, sample.machine, request, {*executor, memory});
    };
    const auto whole = map(std::size_t{1} << 30U);
    ASSERT_EQ(whole.fault, mapper::Fault::none) << "seed " << seed;
    if (whole.best.empty()) continue;
    const double optimum = whole.best.front().objective;
    for (std::size_t bytes = std::size_t{1} << 20U; bytes >= 8192; bytes /= 2) {
      const auto found = map(bytes);
      ASSERT_EQ(found.fault, mapper::Fault::none) << "seed " << seed << ", " << bytes << " bytes";
      if (found.status == Status::optimal) {
        ++optimal;
        ASSERT_FALSE(found.best.empty());
        EXPECT_DOUBLE_EQ(found.best.front().objective, optimum)
            << "seed " << seed << ", " << bytes << " bytes";
        continue;
      }
      ASSERT_EQ(found.status, Status::memory_limit) << "seed " << seed << ", " << bytes << " bytes";
      ++stopped;
      EXPECT_LE(found.bound, optimum * (1 + 1e-9)) << "seed " << seed << ", " << bytes << " bytes";
      if (found.best.empty()) continue;
      ++stopped_with_mapping;
      EXPECT_GE(found.best.front().objective, optimum * (1 - 1e-9)) << "seed " << seed;
    }
  }
  RecordProperty("optimal", optimal);
  RecordProperty("stopped", stopped);
  EXPECT_GT(optimal, 50);
  EXPECT_GT(stopped, 50);
  EXPECT_GT(stopped_with_mapping, 10);
}

}  // namespace
}  // namespace nestor::tests::memory_test
