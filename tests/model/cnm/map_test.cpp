// Tests that compare map_kernel() with brute force. A separate enumerator lists and estimates every member of
// small mapping spaces. map_kernel() must find the best member, with ties broken in the same order.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "brute_maps.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "mapper/cnm/rank.h"
#include "random_kernels.h"
#include "solver/engine/stop_source.h"
#include "support/setting.h"

namespace nestor::cnm::map_test {
namespace {

TEST(LeastSlots, AreNeverMoreThanAProgramHas) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_EXACTNESS_CASES", 40) * 50;
  std::uint64_t legal = 0, tight = 0, gathered = 0, by_pointers = 0;
  for (std::uint64_t i = 0; legal < wanted && i < 60 * wanted; ++i) {
    Random random(seed + i);
    const auto drawn = tests::random_listed_map(random, *upmem);
    if (!drawn) continue;
    const auto& [kernel, map, listing] = *drawn;
    ++legal;
    const auto totals = count(program_of(listing.listing, *upmem).program);
    ASSERT_TRUE(totals.has_value());
    const auto slots = static_cast<double>(totals->slots - 240 - totals->transfers);
    const LeastSlots least(kernel, *upmem);
    EXPECT_LE(least.of_block(map.local(), map.block), slots) << "seed " << seed + i;
    double points = 1;
    for (const Int local : map.local()) points *= static_cast<double>(local);
    EXPECT_LE(points * least.of_point(), least.of_block(map.local(), map.block)) << "seed " << seed + i;
    tight += least.of_block(map.local(), map.block) > 0.9 * slots ? 1U : 0U;
    gathered += listing.listing.lines.size() > 60 ? 1U : 0U;
    for (const Line& line : listing.listing.lines)
      if (line.condition == "nz" && line.target != start_label) {
        ++by_pointers;
        break;
      }
  }
  EXPECT_GE(legal, wanted);
  EXPECT_GE(tight, wanted / 20);
  EXPECT_GE(gathered, wanted / 50);
  EXPECT_GE(by_pointers, wanted / 50);
}

TEST(MapKernel, IsTheBestOfEveryMemberOfSmallSpaces) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 20));
  int with_members = 0, with_reduction = 0, with_ties = 0, of_any_kind = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = *upmem;
    system.levels[0].size = random.between(1, 3);
    system.levels[1].size = random.between(1, 4);
    system.levels[2].size = random.between(1, 16);
    system.wram.capacity = random.between(4, 64) * 1024;
    system.host.reduce_ns = random.chance(0.5) ? 2 : 200;
    system.engine.whole = 8;
    if (random.chance(0.3)) system.host.to_gbs = system.host.from_gbs = 0.5;
    if (random.chance(0.3)) system.dma.ports = random.between(0, 3);
    const std::array<Int, 8> extents = {2, 4, 6, 8, 12, 16, 24, 30};
    const auto extent = [&] { return extents[random.below(extents.size())]; };
    Kernel kernel;
    constexpr std::array<Int, 5> few = {2, 4, 6, 8, 12};
    switch (random.below(4)) {
      case 3:
        kernel = tests::random_kernel(random, few);
        ++of_any_kind;
        break;
      case 0:
        kernel = elementwise(extent(), extent());
        break;
      case 1:
        kernel = matrix_product("mv", extent(), 1, extent(), random.chance(0.3) ? Type::i8 : Type::i32);
        break;
      default:
        kernel = matrix_product("mm", random.between(1, 4), 2 * random.between(1, 2),
                                2 * random.between(1, 3), Type::i64);
        break;
    }
    const Best all = brute_force(kernel, system);
    MapRequest request;
    request.threads = static_cast<int>(random.between(1, 3));
    const MapResult result = map_kernel(kernel, system, no_library, request);
    if (all.members.empty()) {
      EXPECT_EQ(result.status, Status::infeasible) << "seed " << seed + i;
      continue;
    }
    ASSERT_EQ(result.status, Status::optimal) << "seed " << seed + i;
    EXPECT_EQ(cost_of(result.time_ms), all.members[0].first) << "seed " << seed + i;
    EXPECT_EQ(result.mapping, CnmMapping{all.members[0].second}) << "seed " << seed + i;
    EXPECT_EQ(result.ties, Status::optimal);
    const auto executor = make_executor(ExecutorKind::std_thread, static_cast<int>(random.between(1, 3)));
    const Ranking ranked(kernel, system, no_library, *executor, 1'000'000);
    ASSERT_TRUE(ranked.complete());
    ASSERT_EQ(ranked.size(), all.members.size()) << "seed " << seed + i;
    const auto top = *rank_best(kernel, system, no_library, 5, request);
    for (std::size_t m = 0; m < ranked.size(); ++m) {
      ASSERT_EQ(cost_of(ranked[m].time_ms), all.members[m].first) << "seed " << seed + i << " member " << m;
      ASSERT_EQ(ranked[m].map.tuples, all.members[m].second.tuples) << "seed " << seed + i << " member " << m;
      if (m < top.size()) {
        ASSERT_EQ(top[m].map.tuples, ranked[m].map.tuples) << "seed " << seed + i;
      }
    }
    ++with_members;
    with_reduction += static_cast<int>(kernel.reduction.back());
    with_ties += static_cast<int>(all.members.size() > 1 && all.members[0].first == all.members[1].first);
  }
  EXPECT_GT(with_members, static_cast<int>(count) / 4);
  EXPECT_GT(with_reduction, static_cast<int>(count) / 6);
  EXPECT_GE(with_ties, static_cast<int>(count) / 100);
  EXPECT_GE(of_any_kind, static_cast<int>(count) / 10);
}

// Tries every way to pad the extents and lists each resulting space separately.
TEST(MapKernel, PaddingIsPartOfTheSpaceThatIsRanked) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 20)) / 2;
  std::uint64_t grown = 0, several = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = *upmem;
    system.levels[0].size = random.between(1, 2);
    system.levels[1].size = random.between(1, 4);
    system.levels[2].size = random.between(1, 8);
    system.engine.whole = 8;
    if (random.chance(0.3)) system.host.to_gbs = system.host.from_gbs = 0.5;
    const Kernel kernel =
        random.chance(0.5) ? matrix_product("mv", random.between(3, 9), 1, random.between(3, 11), Type::i32)
                           : elementwise(random.between(1, 5), random.between(3, 11));
    const double pad = 100.0 * static_cast<double>(random.between(1, 4)) / 8;
    const auto most = grown_extents(kernel.extents, pad);
    Best all;
    for (Int rows = kernel.extents[0]; rows <= most[0]; ++rows)
      for (Int columns = kernel.extents[1]; columns <= most[1]; ++columns) {
        Kernel padded = kernel;
        padded.extents = {rows, columns};
        for (auto& member : brute_force(padded, system).members) all.members.push_back(std::move(member));
      }
    std::sort(all.members.begin(), all.members.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : comes_first(a.second, b.second);
    });
    MapRequest request;
    request.pad_percent = pad;
    request.threads = 1;
    const MapResult result = map_kernel(kernel, system, no_library, request);
    const auto executor = make_executor(ExecutorKind::std_thread, static_cast<int>(random.between(1, 3)));
    const auto ranking = [&](std::size_t members) {
      return Ranking(kernel, system, no_library, *executor, members, nullptr, most);
    };
    const auto ranked = ranking(1'000'000);
    const auto top = *rank_best(kernel, system, no_library, 7, request);
    ASSERT_TRUE(ranked.complete());
    ASSERT_EQ(ranked.size(), all.members.size()) << "seed " << seed + i;
    ASSERT_EQ(top.size(), std::min<std::size_t>(7, all.members.size())) << "seed " << seed + i;
    if (all.members.empty()) {
      EXPECT_EQ(result.status, Status::infeasible) << "seed " << seed + i;
      continue;
    }
    ASSERT_EQ(result.status, Status::optimal) << "seed " << seed + i;
    EXPECT_EQ(result.mapping, CnmMapping{all.members[0].second}) << "seed " << seed + i;
    EXPECT_EQ(cost_of(result.bound_ms), all.members[0].first) << "seed " << seed + i;
    for (std::size_t m = 0; m < ranked.size(); ++m) {
      const auto& [cost, map] = all.members[m];
      const auto which = "seed " + std::to_string(seed + i) + " member " + std::to_string(m);
      ASSERT_EQ(ranked.cost_of(m), cost) << which;
      ASSERT_EQ(ranked.map_of(m).tuples, map.tuples) << which;
      ASSERT_EQ(ranked.map_of(m).block, map.block) << which;
      ASSERT_EQ(ranked.map_of(m).order, map.order) << which;
      if (m < top.size()) {
        ASSERT_EQ(top[m].map.tuples, map.tuples) << which;
        ASSERT_EQ(top[m].map.block, map.block) << which;
      }
    }
    EXPECT_TRUE(ranking(all.members.size()).complete());
    EXPECT_FALSE(ranking(all.members.size() - 1).complete());
    grown += result.kernel.extents != kernel.extents ? 1U : 0U;
    several += all.members.size() > 20 ? 1U : 0U;
  }
  EXPECT_GE(grown, count / 4);
  EXPECT_GE(several, count / 2);
}

// Tries every cut of one dim into a full part and a remainder, with brute force for both parts.
TEST(MapKernel, TwoMapsAreTheBestOfEveryCut) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 20));
  std::uint64_t cut = 0, of_reductions = 0, whole = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = *upmem;
    system.levels[0].size = random.between(1, 2);
    system.levels[1].size = random.between(1, 4);
    system.levels[2].size = random.between(1, 8);
    system.engine.whole = 8;
    system.host.launch_ms = 1e-3;
    system.host.launch_ms_per_tasklet = 1e-4;
    const Kernel kernel = random.chance(0.7) ? matrix_product("mv", random.between(3, 17), 1,
                                                              2 * random.between(1, 11), Type::i32)
                                             : elementwise(random.between(1, 5), random.between(3, 23));
    const auto best_of = [&](const Kernel& part) {
      const Best all = brute_force(part, system);
      return all.members.empty() ? no_cost : all.members[0].first;
    };
    const double one = best_of(kernel);
    double least = one;
    const Int units = system.levels[0].size * system.levels[1].size * system.levels[2].size;
    for (std::size_t dim = 0; dim < 2; ++dim)
      for (Int u = 1; u <= std::min(units, kernel.extents[dim] - 1); ++u) {
        Kernel full = kernel, rest = kernel;
        full.extents[dim] = kernel.extents[dim] / u * u;
        rest.extents[dim] -= full.extents[dim];
        if (rest.extents[dim] == 0) continue;
        const double between =
            kernel.reduction[dim] ? system.host.reduce_ns * 1e3 * static_cast<double>(kernel.extents[0]) : 0;
        least = std::min(least, best_of(full) + best_of(rest) + between);
      }
    MapRequest request;
    request.most_maps = 2;
    request.threads = 1;
    const MapResult result = map_kernel(kernel, system, no_library, request);
    const auto which = "seed " + std::to_string(seed + i);
    if (least == no_cost) {
      EXPECT_EQ(result.status, Status::infeasible) << which;
      continue;
    }
    ASSERT_EQ(result.status, Status::optimal) << which;
    EXPECT_NEAR(cost_of(result.time_ms), least, 2) << which;  // sum of three rounded figures
    EXPECT_EQ(result.bound_ms, result.time_ms) << which;
    const auto again = estimate_kernel(kernel, result.mapping, system, no_library);
    EXPECT_EQ(again.refusal, "") << which;
    EXPECT_EQ(cost_of(again.time_ms), cost_of(result.time_ms)) << which;
    whole += result.mapping.size() == 1 ? 1U : 0U;
    cut += result.mapping.size() == 2 ? 1U : 0U;
    of_reductions += result.mapping.size() == 2 && result.mapping[0].extent(1) < kernel.extents[1] ? 1U : 0U;
    request.most_maps = 1;
    const MapResult single = map_kernel(kernel, system, no_library, request);
    if (one < no_cost) {
      EXPECT_EQ(cost_of(single.time_ms), one) << which;
    }
  }
  EXPECT_GE(cut, count / 8);
  EXPECT_GE(whole, count / 8);
  EXPECT_GT(of_reductions, 0U);
}

// Threads may estimate the same program at the same time.
TEST(MapKernel, CountsDoNotDependOnThreads) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  constexpr std::array<std::array<Int, 3>, 3> products = {{{256, 32, 144}, {256, 32, 16}, {64, 64, 288}}};
  for (const auto& [rows, columns, depth] : products) {
    const Kernel kernel = matrix_product("mm", rows, columns, depth, Type::i32);
    MapRequest request;
    request.threads = 1;
    const auto alone = map_kernel(kernel, *upmem, no_library, request);
    request.threads = 4;
    for (int i = 0; i < 30; ++i) {
      const auto result = map_kernel(kernel, *upmem, no_library, request);
      EXPECT_EQ(result.branches, alone.branches) << rows;
      EXPECT_EQ(result.work, alone.work) << rows;
      EXPECT_EQ(result.estimates, alone.estimates) << rows;
    }
  }
}

TEST(MapKernel, AwkwardExtentsAreCutByDefault) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  MapRequest request;
  request.most_maps = 0;
  constexpr std::array<std::pair<Int, double>, 3> awkward = {{{4099, 0.689}, {8200, 1.224}, {12289, 1.728}}};
  for (const auto& [rows, most] : awkward) {
    const auto result =
        map_kernel(matrix_product("mv", rows, 1, 4096, Type::i32), *upmem, no_library, request);
    EXPECT_EQ(result.status, Status::optimal) << rows;
    EXPECT_LE(result.time_ms, most) << rows;
    EXPECT_EQ(result.searched, "exact divisors, one map or two that cut one dim") << rows;
  }
  const auto even = map_kernel(matrix_product("mv", 8192, 1, 8192, Type::i32), *upmem, no_library, request);
  EXPECT_EQ(even.searched, "exact divisors, one map");
}

TEST(MapKernel, UnsearchedExtentsLeaveTheResultUnproved) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const std::atomic<bool> interrupted = true;
  MapRequest request;
  request.pad_percent = 100;
  request.interrupted = &interrupted;
  const MapResult result = map_kernel(elementwise(4, 8), *upmem, no_library, request);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.bound_ms, 0);
}

TEST(MapKernel, TiesGoToFewerDpusThenFewerTaskletsThenTheLeastTuples) {
  const auto map = [](Int rank, Int dpu, Int tasklet, Int local) {
    CnmMap m;
    m.tuples = {{rank}, {dpu}, {tasklet}, {local}};
    m.block = {1};
    m.order = {0};
    return m;
  };
  const std::vector<CnmMap> in_order = {map(1, 2, 8, 4), map(2, 1, 8, 4), map(1, 4, 2, 8), map(1, 4, 4, 4),
                                        map(2, 2, 4, 4)};
  for (std::size_t a = 0; a < in_order.size(); ++a)
    for (std::size_t b = 0; b < in_order.size(); ++b)
      EXPECT_EQ(precedes(in_order[a], in_order[b]), a < b) << a << " " << b;
}

TEST(Ranking, EndsWhenItIsStoppedOrTheSpaceIsTooLarge) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto executor = make_executor(ExecutorKind::std_thread, 2);
  const Kernel kernel = matrix_product("mm", 8192, 512, 8192, Type::i32);
  StopSource stop(std::nullopt);
  const std::atomic<bool> interrupted = true;
  stop.watch(&interrupted);
  EXPECT_FALSE(Ranking(kernel, *upmem, no_library, *executor, std::size_t{1} << 40, &stop).complete());
  EXPECT_FALSE(Ranking(kernel, *upmem, no_library, *executor, 100'000).complete());
  const Kernel small = matrix_product("mv", 16, 1, 16, Type::i32);
  const std::size_t members = Ranking(small, *upmem, no_library, *executor, 100'000).size();
  EXPECT_GT(members, 100U);
  EXPECT_TRUE(Ranking(small, *upmem, no_library, *executor, members).complete());
  EXPECT_FALSE(Ranking(small, *upmem, no_library, *executor, members - 1).complete());
}

TEST(MapKernel, BoundIsValidIfTheSearchIsStopped) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const Kernel kernel = matrix_product("mv", 1 << 9, 1, 1 << 9, Type::i32);
  const MapResult full = map_kernel(kernel, *upmem, no_library, {});
  ASSERT_EQ(full.status, Status::optimal);
  for (const std::uint64_t work : {1U, 20U, 200U}) {
    MapRequest request;
    request.work_limit = work;
    const MapResult stopped = map_kernel(kernel, *upmem, no_library, request);
    EXPECT_LE(stopped.bound_ms, full.time_ms);
    if (stopped.time_ms > 0) {
      EXPECT_GE(stopped.time_ms, full.time_ms);
    }
  }
}

// The bound also covers paddings that a limit left unsearched.
TEST(MapKernel, BoundCoversAllPaddings) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const Kernel kernel = elementwise(509, 4);
  MapRequest request;
  const MapResult alone = map_kernel(kernel, *upmem, no_library, request);
  request.pad_percent = 0.6;  // at most three more rows
  const MapResult best = map_kernel(kernel, *upmem, no_library, request);
  ASSERT_EQ(best.status, Status::optimal);
  ASSERT_LT(best.time_ms, alone.time_ms);
  EXPECT_EQ(best.bound_ms, best.time_ms);
  int limited = 0;
  for (const double gap : {0.0, 0.2, 0.9})
    for (const std::uint64_t work : {0U, 1U, 20U, 200U}) {
      request.gap = gap;
      request.work_limit = work;
      const MapResult result = map_kernel(kernel, *upmem, no_library, request);
      EXPECT_LE(result.bound_ms, best.time_ms) << gap << " " << work;
      limited += static_cast<int>(result.status == Status::work_limit);
      if (result.status == Status::gap_reached) {
        EXPECT_LE(result.time_ms - result.bound_ms, gap * result.time_ms * (1 + 1e-12));
      }
    }
  EXPECT_GT(limited, 0);
}

}  // namespace
}  // namespace nestor::cnm::map_test
