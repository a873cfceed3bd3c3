// Tests of the factors that the search uses: padded bounds and merged factors.
#include <gtest/gtest.h>

#include "mapper/loopnest/padding.h"
#include "model/loopnest/flexible_factors.h"

namespace nestor::mapper::factors_test {
namespace {

TEST(Padding, OffersEveryBoundWithinThePercentage) {
  EXPECT_EQ(padded_bounds(197, {.percent = 2}), (std::vector<Int>{197, 198, 199, 200}));
  EXPECT_EQ(padded_bounds(197, {.percent = 0.5}), (std::vector<Int>{197}));
  EXPECT_EQ(padded_bounds(50, {.percent = 2}), (std::vector<Int>{50, 51}));
  EXPECT_EQ(padded_bounds(1000, {.percent = 0.1}), (std::vector<Int>{1000, 1001}));
  EXPECT_EQ(padded_bounds(1, {.percent = 100}), (std::vector<Int>{1, 2}));
}

TEST(Padding, OffersTheNextMultiplesIfAsked) {
  const Padding multiples{.to_multiples = true};
  EXPECT_EQ(padded_bounds(197, multiples), (std::vector<Int>{197, 198, 200}));
  EXPECT_EQ(padded_bounds(6, multiples), (std::vector<Int>{6, 8}));
  EXPECT_EQ(padded_bounds(256, multiples), (std::vector<Int>{256}));
}

TEST(FlexibleFactors, MultiplyToTheBoundAndAreNeverMoreThanThePrimes) {
  const FlexibleFactors options;
  for (Int bound = 1; bound <= 2000; ++bound) {
    const FactorSet set = flexible_factors(bound, options);
    EXPECT_EQ(set.product(), bound);
    EXPECT_LE(set.size(), prime_factors(bound).size());
    EXPECT_GE(set.size(), std::min(options.least_factors, prime_factors(bound).size()));
  }
}

TEST(FlexibleFactors, EqualThePrimesIfNoLossIsAllowed) {
  for (const Int bound : {Int{64}, Int{360}, Int{720}})
    EXPECT_EQ(flexible_factors(bound, {.most_loss = -1}), prime_factors(bound));
}

TEST(FlexibleFactors, MergeToTheLeastNumberIfAnyLossIsAllowed) {
  EXPECT_EQ(flexible_factors(720, {.least_factors = 3, .most_loss = 1}).size(), 3);
  EXPECT_EQ(flexible_factors(1024, {.least_factors = 1, .most_loss = 1}).size(), 1);
}

// {2,2,3} splits into 2|6, 3|4 and 2|2|3. Merging the twos loses 2|6 and the triple. Merging 2 and 3 loses
// 3|4 and the triple. The two merges lose equally much, so the pair of smallest factors is merged.
TEST(FlexibleFactors, MergeThePairThatCostsLeast) {
  const FactorSet set = flexible_factors(12, {.least_factors = 2, .most_loss = 1});
  ASSERT_EQ(set.size(), 2);
  EXPECT_EQ(set.factors[0].value, 3);
  EXPECT_EQ(set.factors[1].value, 4);
}

}  // namespace
}  // namespace nestor::mapper::factors_test
