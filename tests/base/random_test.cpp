// Tests of the random generator: a seed determines the sequence, and values reach the whole range.
#include "base/random.h"

#include <gtest/gtest.h>

namespace nestor::random_test {
namespace {

TEST(Random, GivesTheSameSequenceForTheSameSeed) {
  Random a(42);
  Random b(42);
  Random c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto x = a.next();
    EXPECT_EQ(x, b.next());
    differs |= x != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, BelowStaysInRangeAndReachesEveryValue) {
  Random random(7);
  std::array<int, 5> seen{};
  for (int i = 0; i < 5000; ++i) ++seen.at(random.below(5));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, BetweenIncludesBothEnds) {
  Random random(1);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 200; ++i) {
    const auto x = random.between(-2, 2);
    ASSERT_GE(x, -2);
    ASSERT_LE(x, 2);
    low |= x == -2;
    high |= x == 2;
  }
  EXPECT_TRUE(low && high);
}

}  // namespace
}  // namespace nestor::random_test
