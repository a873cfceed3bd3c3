// Tests of lower bounds on the cycles of HBM-PIM streams, computed without running the streams. On random
// loops of random bursts under random timings, they never exceed the machine's cycles. For long reads, where
// refresh matters, they are close to the cycles.
#include "model/cnm/search/stream_bound.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "io/cnm/system_file.h"
#include "model/cnm/hbm_machine.h"
#include "model/cnm/program.h"
#include "model/cnm/stream_builder.h"
#include "support/setting.h"

namespace nestor::cnm::stream_bound_test {
namespace {

void change_timings(Random& random, Dram& dram) {
  const auto change = [&](Int& value, Int low, Int high) {
    if (random.chance(0.25)) value = random.between(low, high);
  };
  change(dram.tREFI, 500, 5000);
  change(dram.tRFC, 50, 400);
  change(dram.tRCDRD, 5, 30);
  change(dram.tRCDWR, 5, 30);
  change(dram.tRP, 5, 30);
  change(dram.tRAS, 10, 60);
  change(dram.tCCDL, 2, 8);
  change(dram.tRTPL, 2, 9);
  change(dram.tWR, 5, 30);
  change(dram.tWTRL, 1, 15);
  change(dram.RL, 8, 25);
}

struct RandomStream {
  Random& random;
  bool reads_mostly = random.chance(0.7);
  bool one_bank = random.chance(0.4);

  // Returns a long run of reads, sometimes with other accesses in between.
  Stream steady() {
    Stream tile;
    const Int groups = random.between(2, 9), stride = std::array<Int, 3>{8 * groups, 256, 0}[random.below(3)];
    for (Int g = 0; g < groups; ++g) {
      Access access{false, 0, 8, 8 * g, {}};
      access.stride[0] = stride;
      tile.push_back(StreamBuilder::group({access}));
    }
    for (auto left = random.between(0, 2); left > 0; --left) tile.push_back(group(1));
    return {StreamBuilder::loop(random.between(50, 400), tile)};
  }
  Stream list(std::size_t depth, Int most_trips) {
    Stream items;
    for (auto left = random.between(1, 4); left > 0; --left) {
      if (depth < 3 && random.chance(0.4)) {
        const Int trips = random.between(1, most_trips);
        items.push_back(StreamBuilder::loop(trips, list(depth + 1, std::max<Int>(2, most_trips / 4))));
      } else {
        items.push_back(group(depth));
      }
    }
    return items;
  }
  StreamItem group(std::size_t depth) {
    Access access;
    access.write = random.chance(reads_mostly ? 0.1 : 0.5);
    access.bank = one_bank ? 0 : random.between(0, 1);
    access.count = random.chance(0.6) ? 8 : random.between(1, 8);
    access.address = random.chance(0.7) ? 8 * random.between(0, 40) : random.between(0, 2000);
    for (std::size_t d = 0; d < depth; ++d)
      access.stride[d] = std::array<Int, 6>{0, 8, 32, 64, 1, 40}[random.below(6)];
    return StreamBuilder::group({access});
  }
};

TEST(StreamBound, NeverExceedsTheCyclesOfTheMachine) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_BOUNDS", 1'000);
  Random random(seed);
  std::uint64_t ran = 0, refreshed = 0, close = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(fmt::format("seed {} case {}", seed, i));
    System system = *io::read_cnm_system("hbm-pim", {});
    change_timings(random, system.dram);
    const StreamBuilder build(system);
    Stream stream = {build.park(), build.enter_all_banks(), build.program_registers(8), build.toggle_pim()};
    RandomStream tiles{random};
    append(stream, random.chance(0.3) ? tiles.steady() : tiles.list(0, 30));
    append(stream, {build.toggle_pim(), build.leave_all_banks(), build.park()});
    if (burst_count(stream).value_or(max_count) > 30'000) continue;
    const auto run = run_channel(system, stream, 200'000);
    if (!run) continue;
    ++ran;
    const Int bound = StreamBound(system).of(stream);
    ASSERT_LE(bound, run->cycles);
    if (run->cycles < 4 * system.dram.tREFI || run->causes.refresh * 20 < run->cycles) continue;
    ++refreshed;
    const double share = static_cast<double>(bound) / static_cast<double>(run->cycles);
    close += static_cast<std::uint64_t>(share > 0.96);
  }
  EXPECT_GT(ran, count / 2);
  EXPECT_GT(refreshed, count / 20);
  EXPECT_GT(close, refreshed / 8) << "of " << refreshed;
}

// Reads that advance through the rows of one bank, with occasional writes to the other bank. Gaps,
// turnarounds, rows and refresh account for all cycles.
TEST(StreamBound, IsWithinTwoPerCentOfLongReads) {
  const System system = *io::read_cnm_system("hbm-pim", {});
  const StreamBuilder build(system);
  Stream tile;
  for (Int g = 0; g < 8; ++g) {
    Access access{false, 0, 8, 8 * g, {}};
    access.stride[0] = 64;
    tile.push_back(StreamBuilder::group({access}));
  }
  tile.push_back(build.vector_registers());
  Stream stream = {build.park(),
                   build.enter_all_banks(),
                   build.program_registers(8),
                   build.toggle_pim(),
                   StreamBuilder::loop(2'000, tile),
                   build.toggle_pim(),
                   build.leave_all_banks(),
                   build.park()};
  const auto run = run_channel(system, stream, 1'000'000);
  ASSERT_TRUE(run.has_value());
  const Int bound = StreamBound(system).of(stream);
  EXPECT_LE(bound, run->cycles);
  EXPECT_GE(bound * 100, run->cycles * 98) << bound << " of " << run->cycles;
}

// Nested loops of reads of one bank without refresh, so that the bound depends almost only on row
// activations.
TEST(StreamBound, NeverOvercountsRows) {
  Random random(tests::setting("NESTOR_CNM_SEED", 1));
  System system = *io::read_cnm_system("hbm-pim", {});
  system.dram.tREFI = 100'000'000;
  const StreamBuilder build(system);
  double shares = 0;
  const int cases = 400;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    Stream body;
    for (auto groups = random.between(1, 3); groups > 0; --groups) {
      Access access{false, 0, random.chance(0.7) ? 8 : random.between(1, 8), 8 * random.between(0, 12), {}};
      if (random.chance(0.3)) access.address += random.between(1, 31);
      for (std::size_t d = 0; d < 3; ++d)
        access.stride[d] = std::array<Int, 7>{0, 8, 16, 24, 32, 40, 4}[random.below(7)];
      body.push_back(StreamBuilder::group({access}));
    }
    for (int d = 0; d < 3; ++d) body = {StreamBuilder::loop(random.between(1, 20), std::move(body))};
    Stream stream = {build.park(), build.enter_all_banks(), build.program_registers(8)};
    append(stream, std::move(body));
    append(stream, {build.leave_all_banks(), build.park()});
    const auto run = run_channel(system, stream, 1'000'000);
    ASSERT_TRUE(run.has_value());
    const Int bound = StreamBound(system).of(stream);
    ASSERT_LE(bound, run->cycles);
    shares += static_cast<double>(bound) / static_cast<double>(run->cycles) / cases;
  }
  EXPECT_GT(shares, 0.4);
}

// Reads of one row, with lengths around every refresh. The test fails if a refresh is counted too early.
TEST(StreamBound, CountsRefreshOnceItIsDue) {
  System system = *io::read_cnm_system("hbm-pim", {});
  const StreamBuilder build(system);
  const auto of_groups = [&](Int groups) {
    return Stream{build.park(),
                  build.enter_all_banks(),
                  build.program_registers(8),
                  build.toggle_pim(),
                  StreamBuilder::loop(groups, {StreamBuilder::group({Access{false, 0, 8, 0, {}}})}),
                  build.toggle_pim(),
                  build.leave_all_banks(),
                  build.park()};
  };
  for (const Int ranks : {1, 2, 4})
    for (Int groups = 40; groups < 4'000; groups += 37) {
      system.dram.ranks = ranks;
      const auto run = run_channel(system, of_groups(groups), 1'000'000);
      ASSERT_TRUE(run.has_value());
      ASSERT_LE(StreamBound(system).of(of_groups(groups)), run->cycles) << groups;
    }
}

// Writes that keep a bank open for longer than a refresh interval. Refreshes that become due during this time
// run together.
TEST(StreamBound, CountsRefreshesThatWaitForEachOtherOnce) {
  for (int i = 0; i < 400; ++i) {
    System system = *io::read_cnm_system("hbm-pim", {});
    system.dram.tREFI = 400 + 50 * (i % 20);
    system.dram.tRFC = 150 + 50 * (i / 20 % 5);
    system.dram.ranks = 1 + i / 100 % 2;
    const StreamBuilder build(system);
    const Int writes = 1 + i * 7 % 80;
    const auto groups = [](bool write, Int count) {
      return StreamBuilder::loop(count, {StreamBuilder::group({Access{write, 1, 8, 0, {}}})});
    };
    const Stream stream = {build.park(),
                           build.enter_all_banks(),
                           build.program_registers(8),
                           build.toggle_pim(),
                           StreamBuilder::loop(60, {groups(true, writes), groups(false, 8)}),
                           build.toggle_pim(),
                           build.leave_all_banks(),
                           build.park()};
    const auto run = run_channel(system, stream, 1'000'000);
    ASSERT_TRUE(run.has_value());
    EXPECT_LE(StreamBound(system).of(stream), run->cycles)
        << writes << " writes, tREFI " << system.dram.tREFI;
  }
}

}  // namespace
}  // namespace nestor::cnm::stream_bound_test
