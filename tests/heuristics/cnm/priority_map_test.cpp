// Tests of the first mapping by priorities. It is legal, has the stated cost and is close to the proved
// optimum.
#include "heuristics/cnm/priority_map.h"

#include <gtest/gtest.h>

#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "model/cnm/random_kernels.h"
#include "support/setting.h"

namespace nestor::cnm::priority_map_test {
namespace {

const Library no_library = [](const LibraryRequest&) { return std::optional<Listing>(); };

// Returns a simple judge of maps. The cost is the number of blocks of one unit, plus 0.5 if the loops do not
// begin with dim `first_dim`. A block has at most 8 elements, and a level at most 4 parts.
MapJudge plain_judge(std::size_t first_dim = 1) {
  const auto product = [](const std::vector<Int>& numbers) {
    Int all = 1;
    for (const Int n : numbers) all *= n;
    return all;
  };
  MapJudge judge;
  judge.cost = [product, first_dim](const CnmMap& map) {
    if (product(map.block) > 8) return no_cost;
    for (std::size_t level = 0; level < 2; ++level)
      if (map.parts(level) > 4) return no_cost;
    return static_cast<double>(product(map.local())) / static_cast<double>(product(map.block)) +
           (map.order.front() == first_dim ? 0.0 : 0.5);
  };
  judge.outlook = [judge, first_dim](const CnmMap& map) {
    CnmMap with_order = map;
    with_order.order = {first_dim};
    return MapJudge::RemainingTransfers{judge.cost(with_order), 0};
  };
  return judge;
}

Kernel rectangle(Int rows, Int columns) {
  Kernel kernel;
  kernel.extents = {rows, columns};
  kernel.reduction = {false, false};
  return kernel;
}

TEST(PriorityMap, PlacesEveryFactorWhereItGainsMost) {
  const StopSource never;
  const auto found = priority_map(rectangle(12, 20), 2, plain_judge(), 3, never);
  ASSERT_TRUE(found.has_value());
  // The 240 elements are divided by 4 and 4, or by 4 and 3, on the levels, and by up to 8 in the block.
  EXPECT_LE(found->cost, 4);
  EXPECT_EQ(found->map.order.front(), 1U);
  EXPECT_EQ(found->cost, plain_judge().cost(found->map));
  for (std::size_t d = 0; d < 2; ++d) {
    EXPECT_EQ(found->map.extent(d), d == 0 ? 12 : 20);
    EXPECT_EQ(found->map.local()[d] % found->map.block[d], 0);
  }
}

TEST(PriorityMap, KeepsTheBestLoopOrder) {
  const StopSource never;
  int with_both = 0;
  for (const std::size_t first_dim : {0U, 1U})
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      const MapJudge judge = plain_judge(first_dim);
      const auto found = priority_map(rectangle(96, 90), 2, judge, seed, never);
      ASSERT_TRUE(found.has_value());
      if (found->map.local()[0] == 1 || found->map.local()[1] == 1) continue;  // only one order exists
      CnmMap other = found->map;
      std::swap(other.order[0], other.order[1]);
      EXPECT_LT(found->cost, judge.cost(other)) << "first dim " << first_dim << ", seed " << seed;
      EXPECT_EQ(found->map.order.front(), first_dim);
      with_both += first_dim == 0 ? 1 : 0;
    }
  EXPECT_GT(with_both, 2);
}

TEST(PriorityMap, IsTheSameForTheSameSeed) {
  const StopSource never;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto once = priority_map(rectangle(36, 30), 2, plain_judge(), seed, never);
    const auto again = priority_map(rectangle(36, 30), 2, plain_judge(), seed, never);
    ASSERT_TRUE(once && again);
    EXPECT_EQ(once->map, again->map);
    EXPECT_EQ(once->costed, again->costed);
  }
}

TEST(PriorityMap, ReturnsNothingIfNoMapIsLegal) {
  const StopSource never;
  MapJudge judge = plain_judge();
  judge.cost = [](const CnmMap&) { return no_cost; };
  EXPECT_FALSE(priority_map(rectangle(4, 4), 2, judge, 1, never).has_value());
  judge.outlook = [](const CnmMap&) { return MapJudge::RemainingTransfers{}; };
  EXPECT_FALSE(priority_map(rectangle(4, 4), 2, judge, 1, never).has_value());
}

TEST(PriorityMap, IsLegalAndNotFarFromTheProvedBest) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 40));
  std::uint64_t possible = 0, found = 0, best = 0;
  double ratios = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    constexpr std::array<Int, 6> extents = {4, 8, 16, 24, 32, 48};
    const Kernel kernel = random.chance(0.5)
                              ? tests::random_kernel(random, extents)
                              : matrix_product("mv", 8 * random.between(1, 12), 1, 8 * random.between(1, 12),
                                               random.chance(0.3) ? Type::i8 : Type::i32);
    System system = *upmem;
    system.levels[0].size = random.between(1, 3);
    system.levels[1].size = random.between(1, 8);
    system.levels[2].size = random.between(1, 24);
    MapRequest request;
    request.threads = 1;
    const MapResult with = map_kernel(kernel, system, no_library, request);
    request.first_by_priorities = false;
    const MapResult without = map_kernel(kernel, system, no_library, request);
    // The first solution of the search does not change its proved result.
    ASSERT_EQ(with.status, without.status) << "seed " << seed + i;
    EXPECT_EQ(with.mapping, without.mapping) << "seed " << seed + i;
    EXPECT_EQ(with.time_ms, without.time_ms) << "seed " << seed + i;
    EXPECT_EQ(without.first_ms, 0);
    if (with.status != Status::optimal) continue;
    ++possible;
    if (with.first_ms <= 0) continue;
    ++found;
    EXPECT_GE(cost_of(with.first_ms), cost_of(with.time_ms)) << "seed " << seed + i;
    best += cost_of(with.first_ms) == cost_of(with.time_ms) ? 1U : 0U;
    ratios += with.first_ms / with.time_ms;
  }
  EXPECT_GE(possible, count / 3);
  EXPECT_GE(found, possible * 9 / 10);
  EXPECT_GE(best, found / 10);
  EXPECT_LE(ratios, 1.2 * static_cast<double>(found));
  RecordProperty("found", static_cast<int>(found));
  RecordProperty("best", static_cast<int>(best));
}

}  // namespace
}  // namespace nestor::cnm::priority_map_test
