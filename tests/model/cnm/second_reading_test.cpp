// Tests of the independent checker on random kernels under random legal maps. The lowering (kernel to CNM IR
// to llvcnm to a program) is compared item by item with an independent translation (kernel to program), and
// the engine of the estimate with an independent engine.
#include <gtest/gtest.h>

#include "base/random.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/second_reading/figures.h"
#include "model/cnm/second_reading/read_map.h"
#include "random_kernels.h"
#include "random_programs.h"
#include "sim/cnm/second_estimate.h"
#include "support/setting.h"

namespace nestor::cnm::second_reading_test {
namespace {

TEST(SecondReading, EqualsTheLowering) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_CNM_READINGS", 3000);
  std::size_t legal = 0, gathered = 0, summed = 0, in_order = 0, revisited = 0;
  for (std::uint64_t i = 0; legal < wanted && i < 60 * wanted; ++i) {
    Random random(seed + i);
    const auto drawn = tests::random_listed_map(random, *upmem);
    if (!drawn) continue;
    const auto& [kernel, map, listing] = *drawn;
    const auto first = program_of(listing.listing, *upmem);
    ASSERT_TRUE(first.error.empty()) << first.error;
    const auto second = second::read_map(kernel, map, *upmem);
    ++legal;
    ASSERT_EQ(second.fault, "") << "seed " << seed + i;
    ASSERT_EQ(simplify(second.program), simplify(first.program)) << "seed " << seed + i;
    EXPECT_EQ(second.wram, listing.legality.use.wram) << "seed " << seed + i;
    EXPECT_EQ(second.mram, listing.legality.use.mram) << "seed " << seed + i;
    EXPECT_EQ(second.iram, listing.legality.use.iram) << "seed " << seed + i;
    EXPECT_EQ(second.partial_results, partial_results(kernel, map)) << "seed " << seed + i;
    const MovedBytes moved = bytes_of_rank(kernel, map, *upmem);
    EXPECT_EQ(second.rank_bytes_in, moved.in) << "seed " << seed + i;
    EXPECT_EQ(second.rank_bytes_out, moved.out) << "seed " << seed + i;
    CnmMap cut = map;
    cut.block.clear();
    const Int from_below = bytes_of_rank(kernel, cut, *upmem).in;
    EXPECT_LE(from_below, moved.in) << "seed " << seed + i;
    revisited += from_below < moved.in ? 1U : 0U;
    for (const Line& line : listing.listing.lines) summed += line.kind == LineKind::leave ? 1U : 0U;
    gathered += map.collect ? 1U : 0U;
    in_order += std::is_sorted(map.order.begin(), map.order.end()) ? 1U : 0U;
  }
  EXPECT_GE(legal, wanted);
  EXPECT_GE(summed, wanted / 50);
  EXPECT_GE(gathered, wanted / 20);
  EXPECT_LT(in_order, legal);
  EXPECT_GE(revisited, wanted / 50);
}

TEST(SecondEstimate, EqualsTheEngine) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_CNM_READINGS", 3000) / 10;
  std::size_t extrapolated = 0, bent = 0, exact = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    Random random(seed + i);
    System system = tests::random_dpu(random);
    system.clock_mhz = 350;
    system.engine.whole = 8;
    Program program = tests::random_program(random, 2, false);
    const auto lengthen = [&](const auto& self, Program& items) -> void {
      for (Item& item : items) {
        if (item.kind != ItemKind::loop) continue;
        if (random.chance(0.5)) item.amount *= random.between(1, 20);
        self(self, item.body);
      }
    };
    lengthen(lengthen, program);
    const Int tasklets = random.between(1, 12);
    const auto first = estimate_program(system, program, tasklets);
    const auto second = sim::cnm::estimate_again(system, program, tasklets);
    ASSERT_TRUE(first && second) << "seed " << seed + i;
    const auto near = [&](double a, double b) {
      EXPECT_NEAR(a, b, 1e-9 * std::max(1.0, std::abs(a))) << "seed " << seed + i;
    };
    near(first->cycles, second->cycles);
    for (std::size_t c = 0; c < 4; ++c) near(first->causes[c], second->causes[c]);
    near(first->bounds.issue, second->issue);
    near(first->bounds.dma, second->dma);
    near(first->bounds.tasklet, second->tasklet);
    EXPECT_EQ(first->runs, second->runs) << "seed " << seed + i;
    EXPECT_EQ(first->cycles_simulated, second->cycles_simulated) << "seed " << seed + i;
    EXPECT_EQ(first->k, second->k) << "seed " << seed + i;
    EXPECT_EQ(first->linear, second->linear) << "seed " << seed + i;
    // The number of slots grows with the trips of every loop. The cause `issue` accounts for all slots,
    // unless a bound raises the estimate.
    if (first->k > 0 && first->cycles > first->bounds.largest()) {
      near(first->causes[0], first->bounds.issue);
      ++exact;
    }
    extrapolated += first->k > 0 ? 1U : 0U;
    bent += first->k > system.engine.k ? 1U : 0U;
  }
  EXPECT_GE(extrapolated, wanted / 5);
  EXPECT_GE(bent, wanted / 50);
  EXPECT_GE(exact, wanted / 20);
}

TEST(SecondEstimate, CausesOfFewCyclesMayBeNegative) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto listing = io::built_in_kernel("va", {Type::i32, 11, 128, 0, 16});
  ASSERT_TRUE(listing.ok());
  const Program program = program_of(*listing, *upmem).program;
  const auto first = estimate_program(*upmem, program, 11);
  const auto second = sim::cnm::estimate_again(*upmem, program, 11);
  ASSERT_TRUE(first && second);
  EXPECT_LT(first->causes[3], -1);  // cycles of gaps
  EXPECT_DOUBLE_EQ(first->causes[0], first->bounds.issue);
  double sum = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(first->causes[c], second->causes[c], 1e-6);
    sum += first->causes[c];
  }
  EXPECT_NEAR(sum, first->cycles, 1e-6);
}

void expect_near(const HostTime& first, const second::HostFigures& second) {
  EXPECT_DOUBLE_EQ(first.launch_ms, second.launch);
  EXPECT_DOUBLE_EQ(first.reduce_ms, second.reduce);
  EXPECT_DOUBLE_EQ(first.transfer_ms, second.transfer);
  EXPECT_DOUBLE_EQ(first.sum(), second.sum());
}

TEST(SecondFigures, EqualTheHostTimesAndUnits) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  for (const char* name : {"upmem", "hbm-pim"}) {
    const auto shipped = io::read_cnm_system(name, {});
    ASSERT_TRUE(shipped.ok());
    for (std::uint64_t i = 0; i < 100; ++i) {
      Random random(seed + i);
      System system = *shipped;
      for (double* rate : {&system.host.to_gbs, &system.host.from_gbs})
        *rate = random.chance(0.5) ? 0 : static_cast<double>(random.between(1, 90)) / 8;
      const HostWork work{random.between(0, 1000), random.between(0, 1 << 20), random.between(0, 1 << 20)};
      const Int tasklets = random.between(0, 24);
      expect_near(
          host_time(system, tasklets, work),
          second::read_host(system, tasklets, work.partial_results, work.rank_bytes_in, work.rank_bytes_out));
      const auto cycles = static_cast<double>(random.between(0, 1 << 30));
      EXPECT_DOUBLE_EQ(cycles_to_ms(system, cycles), second::milliseconds(system, cycles));
      CnmMap map;
      map.tuples = {{random.between(1, 9), 2}, {3, random.between(1, 9)}, {1, 4}, {5, 6}};
      const auto units = second::read_units(map, system);
      ASSERT_EQ(units.size(), 3U);
      for (std::size_t level = 0; level < 3; ++level) EXPECT_EQ(units[level], map.parts(level));
    }
  }
}

TEST(SecondFigures, EqualTheTilesOfChannels) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  int planned = 0, padded = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(seed + i);
    const Kernel kernel =
        matrix_product("mv", random.between(1, 5000), 1, random.between(1, 5000), Type::f16);
    const std::vector<Int> parts = {Int{1} << random.below(5), Int{1} << random.below(3)};
    const auto plan = plan_channels(kernel, parts, *pim).plan;
    if (!plan) continue;
    const auto figures = second::read_channels(kernel, parts, *pim);
    EXPECT_EQ(figures.padded, plan->padded) << "seed " << seed + i;
    EXPECT_EQ(figures.partial, plan->partial_results) << "seed " << seed + i;
    EXPECT_EQ(second::read_results(kernel), kernel.extents[0]);
    ++planned;
    padded += plan->padded == kernel.extents ? 0 : 1;
  }
  EXPECT_GT(planned, 100);
  EXPECT_GT(padded, 50);
}

}  // namespace
}  // namespace nestor::cnm::second_reading_test
