// Tests of FunctionRef: calls through a reference to a function, and through a copy of the reference.
#include "base/function_ref.h"

#include <gtest/gtest.h>

namespace nestor::function_ref_test {
namespace {

int twice_called(FunctionRef<int(int)> function) { return function(1) + function(2); }

TEST(FunctionRef, CallsItsTarget) {
  int sum = 0;
  const auto add = [&](int x) { return sum += x; };
  EXPECT_EQ(twice_called(add), 1 + 3);
  EXPECT_EQ(twice_called(add), 4 + 6);
  EXPECT_EQ(twice_called([](int x) { return -x; }), -3);
}

TEST(FunctionRef, CopiesCallTheSameTarget) {
  int calls = 0;
  const auto count = [&] { ++calls; };
  const FunctionRef<void()> one = count;
  const FunctionRef<void()> other = one;
  one();
  other();
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace nestor::function_ref_test
