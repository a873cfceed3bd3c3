// Tests of arrange_arrays(), which orders arrays so that copies pass over as few arrays as possible. For few
// arrays, its result is compared with all orders.
#include "model/simd/arrange_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace nestor::simd::arrange_arrays_test {
namespace {

Schedule random_copies(std::uint32_t arrays, int count, Random& random) {
  Schedule schedule;
  schedule.rows = 8;
  while (count > 0) {
    const auto from = static_cast<std::uint32_t>(random.below(arrays));
    const auto to = static_cast<std::uint32_t>(random.below(arrays));
    if (from == to) continue;
    schedule.instructions.push_back(Instruction::copy({from, 1}, {to, 2}, 1, CopyCause::fanin));
    --count;
  }
  schedule.instructions.push_back(Instruction::copy({0, 0}, {arrays - 1, 0}, 1, CopyCause::fanin));
  schedule.outputs.push_back({OutputPlace::Kind::stored, false, {arrays - 1, 3}, 0});
  return schedule;
}

TEST(ArrangeArrays, PassesTheFewestArraysOfAllOrders) {
  Random random(5);
  int gained = 0;
  for (int i = 0; i < 150; ++i) {
    const auto home = static_cast<std::uint32_t>(random.below(3));
    const auto arrays = home + static_cast<std::uint32_t>(random.between(2, 6));
    const Schedule given = random_copies(arrays, static_cast<int>(random.between(1, 30)), random);
    Schedule arranged = given;
    arrange_arrays(arranged, home);
    std::vector<std::uint32_t> order(arrays);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t least = arrays_passed(given);
    do {
      Schedule other = given;
      renumber_arrays(other, order);
      least = std::min(least, arrays_passed(other));
    } while (std::next_permutation(order.begin() + home, order.end()));
    EXPECT_EQ(arrays_passed(arranged), least);
    gained += least < arrays_passed(given) ? 1 : 0;
  }
  EXPECT_GT(gained, 50);
}

TEST(ArrangeArrays, NeverPassesMoreArraysThanBefore) {
  Random random(6);
  int gained = 0;
  for (int i = 0; i < 20; ++i) {
    const Schedule given = random_copies(40, 200, random);
    Schedule arranged = given;
    arrange_arrays(arranged, 2);
    EXPECT_LE(arrays_passed(arranged), arrays_passed(given));
    gained += arrays_passed(arranged) < arrays_passed(given) ? 1 : 0;
  }
  EXPECT_GT(gained, 10);
}

TEST(ArrangeArrays, MovesOutputsWithTheirArrays) {
  Schedule schedule;
  schedule.outputs.push_back({OutputPlace::Kind::stored, false, {2, 3}, 0});
  schedule.outputs.push_back({OutputPlace::Kind::input, false, {}, 4});
  renumber_arrays(schedule, std::vector<std::uint32_t>{0, 2, 1});
  EXPECT_EQ(schedule.outputs[0].place, (Place{1, 3}));
  EXPECT_EQ(schedule.outputs[1].input, 4U);
}

}  // namespace
}  // namespace nestor::simd::arrange_arrays_test
