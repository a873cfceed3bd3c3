// Tests of FixedVector: erasing, comparing and resizing.
#include "base/fixed_vector.h"

#include <gtest/gtest.h>

namespace nestor::fixed_vector_test {
namespace {

TEST(FixedVector, ErasesInTheMiddleAndComparesByContent) {
  FixedVector<int, 4> a;
  for (const int x : {1, 2, 3}) a.push_back(x);
  a.erase_at(1);
  FixedVector<int, 4> b;
  b.push_back(1);
  b.push_back(3);
  EXPECT_EQ(a, b);
  b.push_back(9);
  EXPECT_FALSE(a == b);
}

TEST(FixedVector, ResizeInitialisesItems) {
  FixedVector<int, 4> a;
  a.push_back(5);
  a.clear();
  a.resize(2);
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(a.size(), 2U);
}

}  // namespace
}  // namespace nestor::fixed_vector_test
