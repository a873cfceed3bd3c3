// SPDX-License-Identifier: Apache-2.0
// Tests that numbers of up to 63 bits are split into their prime factors, in ascending order.
#include "base/primes.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::primes_test {
namespace {

std::vector<Int> factors_of(Int number) {
  std::vector<Int> factors;
  for_each_prime_factor(number, [&](Int prime) { factors.push_back(prime); });
  return factors;
}

TEST(Primes, FactorsSmallNumbers) {
  for (Int number = 1; number < 20000; ++number) {
    std::vector<Int> expected;
    Int rest = number;
    for (Int divisor = 2; rest > 1; ++divisor)
      for (; rest % divisor == 0; rest /= divisor) expected.push_back(divisor);
    ASSERT_EQ(factors_of(number), expected) << number;
  }
}

// Numbers on both sides of 2^32, and numbers that drop below 2^32 when a factor is divided out.
TEST(Primes, FactorsWhereTheWidthOfDivisionsChanges) {
  using Factors = std::vector<Int>;
  for (const Factors& factors : std::vector<Factors>{{4294967291},
                                                     {4294967311},
                                                     {65521, 65521},
                                                     {65521, 65537},
                                                     {65537, 65537},
                                                     {2, 4294967291},
                                                     {2, 2, 2, 3, 4294967291},
                                                     {3, 4294967311},
                                                     {65537, 65537, 65537},
                                                     {2147483647},
                                                     {2, 2147483647},
                                                     {1000003, 2147483647}}) {
    Int number = 1;
    for (const Int factor : factors) number *= factor;
    EXPECT_EQ(factors_of(number), factors) << number;
  }
  EXPECT_EQ(factors_of(Int{1} << 62U), Factors(62, 2));
}

}  // namespace
}  // namespace nestor::primes_test
