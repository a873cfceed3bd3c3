// Tests of rules of the exact search for schedules: the number of useful arrays, equal labels, and dominance.
// For netlists small enough for brute force, these rules rarely affect the optimum.
#include <gtest/gtest.h>

#include <algorithm>

#include "heuristics/simd_cases.h"
#include "model/simd/search/exact_branch.h"

namespace nestor::simd::simd_exact_branch_test {
namespace {

/// Nine outputs on arrays of four rows. Each gate that reads only constants, and each copy, makes one more
/// empty array useful.
TEST(ExactBranch, CountsOneArrayPerCopyAndPerGateThatReadsOnlyConstants) {
  auto netlist = bench::generate("random", {.width = 3, .count = 9, .seed = 1});
  ASSERT_TRUE(netlist.ok());
  make_all_outputs(*netlist);
  for (const auto& [every, unfed] : {std::pair<std::size_t, int>{9, 1}, {4, 3}}) {
    starve(*netlist, every);
    const ScheduleProblem problem(*netlist, 4, 0);
    for (const int copies : {0, 2}) {
      const auto branch = ExactBranch::make(problem, static_cast<std::uint32_t>(copies));
      ASSERT_TRUE(branch);
      EXPECT_EQ(branch->arrays(), 1 + unfed + copies);
    }
  }
}

/// Nine outputs on arrays of eight rows. Two copies make two empty arrays useful. Each further pair of copies
/// makes one more array useful, since every gate reads at least two values.
TEST(ExactBranch, LimitsArraysByTheCopiesThatGatesNeed) {
  auto netlist = bench::generate("random", {.width = 3, .count = 9, .seed = 1});
  ASSERT_TRUE(netlist.ok());
  make_all_outputs(*netlist);
  const ScheduleProblem problem(*netlist, 8, 0);
  std::size_t fewest = 3;
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    const Fanins& fanins = problem.fanins(gate);
    const auto none = std::count(fanins.begin(), fanins.end(), no_value);
    fewest = std::min(fewest, fanins.size() - static_cast<std::size_t>(none));
  }
  ASSERT_EQ(fewest, 2);
  for (const std::uint32_t copies : {2U, 4U, 6U, 8U}) {
    const auto branch = ExactBranch::make(problem, copies);
    ASSERT_TRUE(branch);
    EXPECT_EQ(branch->arrays(), 1 + 2 + (copies - 2) / 2) << copies;
  }
}

/// A label dominates another if it holds at least the same values and has made no more copies. The number of
/// waiting values does not matter. The digest of the dominated label has no bits that the other digest lacks.
TEST(ExactBranch, DominatingLabelsHoldAllValuesAndDigestBits) {
  const auto netlist = all_outputs(1);
  ASSERT_TRUE(netlist);
  const ScheduleProblem problem(*netlist, 6, 3);
  const auto branch = ExactBranch::make(problem, 8);
  ASSERT_TRUE(branch);
  nestor::Random random(1);
  const auto any_set = [&] { return random.below(std::uint64_t{1} << problem.value_count()); };
  int dominated = 0, not_dominated = 0, waiting = 0;
  for (int pair = 0; pair < 4000; ++pair) {
    ExactBranch::Label a, b;
    bool as_much = true;
    for (std::size_t array = 0; array < branch->arrays(); ++array) {
      a.held[array] = any_set();
      b.held[array] = random.chance(0.7) ? a.held[array] & any_set() : any_set();
      as_much &= (a.held[array] | b.held[array]) == a.held[array];
    }
    a.copies = static_cast<std::uint16_t>(random.below(3));
    b.copies = static_cast<std::uint16_t>(random.below(3));
    a.waiting = static_cast<std::uint8_t>(random.below(ExactBranch::most_waiting));
    b.waiting = static_cast<std::uint8_t>(random.below(ExactBranch::most_waiting));
    const bool expected = as_much && a.copies <= b.copies;
    ASSERT_EQ(branch->dominates(a, b, 0), expected);
    (expected ? dominated : not_dominated) += 1;
    if (!as_much) continue;
    ASSERT_EQ(branch->digest(b) & ~branch->digest(a), 0U);
    waiting += a.waiting != b.waiting ? 1 : 0;
  }
  EXPECT_GT(dominated, 200);
  EXPECT_GT(not_dominated, 200);
  EXPECT_GT(waiting, 200);
}

TEST(ExactBranch, OnlyInitiallyEmptyArraysAreInterchangeable) {
  const auto netlist = all_outputs(1);
  ASSERT_TRUE(netlist);
  const ScheduleProblem problem(*netlist, static_cast<std::uint32_t>(netlist->input_names.size()) + 1, 3);
  const auto branch = ExactBranch::make(problem, 8);
  ASSERT_TRUE(branch);
  ASSERT_EQ(branch->arrays(), 3);
  const ExactBranch::Set a = 1U << problem.value_of_gate(0), b = 1U << problem.value_of_gate(1);
  const auto form = [&](ExactBranch::Set home, ExactBranch::Set second, ExactBranch::Set third) {
    return branch->canonical({.computed = a | b, .held = {home, second, third}}).held;
  };
  EXPECT_EQ(form(a, b, 0), form(a, 0, b));
  EXPECT_EQ(form(0, a, b), form(0, b, a));
  EXPECT_NE(form(a, b, 0), form(b, a, 0));
  EXPECT_NE(form(a, 0, 0), form(0, a, 0));
}

}  // namespace
}  // namespace nestor::simd::simd_exact_branch_test
