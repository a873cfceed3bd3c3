// Exact row counts against the element-by-element trace.
#include "model/pim/rows/row_counter.h"

#include <gtest/gtest.h>

#include "sim/pim/row_trace.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::testing {
namespace {

TEST(RowCounter, EqualsTheTraceOnAdversarialWalks) {
  const std::uint64_t cases = setting("NESTOR_PIM_ROW_CASES", 4000);
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  pim::RowCounter counter;
  int banks = 0;
  int blocks = 0;
  int returning = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto [walk, layout] = random_row_walk(seed + i, 60000);
    ASSERT_EQ(counter.count(walk, layout), sim::pim::trace_rows(walk, layout).activations)
        << "seed " << seed + i;
    banks += static_cast<int>(walk.banks > 1);
    blocks += static_cast<int>(layout.kind == pim::LayoutKind::row_aligned && layout.block_height > 1);
    returning += static_cast<int>(sums_return(walk));
  }
  const int least = static_cast<int>(cases / 20);
  EXPECT_GT(banks, least);
  EXPECT_GT(blocks, least);
  EXPECT_GT(returning, least);
}

TEST(RowCounter, CountsWalksTooLongToTrace) {
  // 2^40 visits of one element each in rows of 16: every row of 2^36 is opened once.
  pim::RowWalk walk;
  walk.operand = Operand::W;
  walk.size = {Int{1} << 20, Int{1} << 20, 1, 1};
  walk.loops.push_back({.coordinate = 0, .count = Int{1} << 20, .step = 1});
  walk.loops.push_back({.coordinate = 1, .count = Int{1} << 20, .step = 1});
  walk.row_elements = 16;
  EXPECT_EQ(pim::RowCounter().count(walk, {}), Int{1} << 36);
}

}  // namespace
}  // namespace nestor::testing
