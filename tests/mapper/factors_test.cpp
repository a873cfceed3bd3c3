// Which factors the search gets to see: padded bounds and merged factors.
#include <gtest/gtest.h>

#include "mapper/cim/padding.h"
#include "model/loopnest/flexible_factors.h"

namespace nestor::mapper {
namespace {

std::vector<Int> padded_k(Int bound, double share) {
  Extents bounds = unit_extents;
  bounds[index_of(Dim::K)] = bound;
  std::vector<Int> list;
  for (const Extents& extents : padded_bounds(bounds, share)) list.push_back(extents[index_of(Dim::K)]);
  return list;
}

TEST(Padding, OffersSmootherBoundsWithinTheLimit) {
  EXPECT_EQ(padded_k(197, 0.02), (std::vector<Int>{197, 198, 200}));
  EXPECT_EQ(padded_k(197, 0.01), (std::vector<Int>{197, 198}));
  EXPECT_EQ(padded_k(197, 0), (std::vector<Int>{197}));
}

TEST(Padding, LeavesPowersOfTwoAndOneAlone) {
  EXPECT_EQ(padded_k(256, 0.5), (std::vector<Int>{256}));
  EXPECT_EQ(padded_k(1, 1), (std::vector<Int>{1}));
}

TEST(Padding, KeepsTheLayerItselfFirstAndTheNumberOfCombinationsBounded) {
  const Extents bounds = {1, 997, 991, 197, 193, 7, 7};
  const auto all = padded_bounds(bounds, 0.3);
  EXPECT_EQ(all.front(), bounds);
  EXPECT_EQ(all.size(), most_combinations);
  for (const Extents& extents : all)
    for (std::size_t d = 0; d < dim_count; ++d) {
      EXPECT_GE(extents[d], bounds[d]);
      EXPECT_LE(static_cast<double>(extents[d]), 1.3 * static_cast<double>(bounds[d]));
    }
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

TEST(FlexibleFactors, AreThePrimesWhereNoLossIsAllowed) {
  for (const Int bound : {Int{64}, Int{360}, Int{720}})
    EXPECT_EQ(flexible_factors(bound, {.most_loss = -1}), prime_factors(bound));
}

TEST(FlexibleFactors, MergeDownToTheLeastNumberWhereAnyLossIsAllowed) {
  EXPECT_EQ(flexible_factors(720, {.least_factors = 3, .most_loss = 1}).size(), 3);
  EXPECT_EQ(flexible_factors(1024, {.least_factors = 1, .most_loss = 1}).size(), 1);
}

// {2,2,3} splits into 2|6, 3|4 and 2|2|3; merging the twos loses 2|6 and the triple, merging 2 and 3 loses
// 3|4 and the triple: equal, and the pair of smallest factors goes first.
TEST(FlexibleFactors, MergeThePairThatCostsLeast) {
  const FactorSet set = flexible_factors(12, {.least_factors = 2, .most_loss = 1});
  ASSERT_EQ(set.size(), 2);
  EXPECT_EQ(set.factors[0].value, 3);
  EXPECT_EQ(set.factors[1].value, 4);
}

}  // namespace
}  // namespace nestor::mapper
