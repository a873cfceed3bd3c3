// Tests of the HBM-PIM machine. It reproduces worked examples and every published row of the vendor's
// simulator, to the cycle. If it skips repeated states, it takes as many cycles as a step-by-step run of the
// same stream.
#include "model/cnm/hbm_machine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "io/cnm/system_file.h"
#include "places.h"
#include "sim/cnm/hbm_stepper.h"
#include "support/setting.h"

namespace nestor::cnm::hbm_machine_test {
namespace {

using nlohmann::json;

PimKernel kernel_named(const std::string& name, Int out_tiles, Int in_tiles) {
  const auto at = std::find(pim_kernels.begin(), pim_kernels.end(), name);
  return {static_cast<std::size_t>(at - pim_kernels.begin()), out_tiles, in_tiles};
}

TEST(HbmStepper, ReproducesTheWorkedExamplesToTheCycle) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples.json");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok()) << pim.error().to_string();
  const json examples = json::parse(file);
  for (const auto& example : examples["hbm_pim"]) {
    std::vector<std::string> settings;
    for (const auto& [path, value] : example["set"].items()) settings.push_back(path + "=" + value.dump());
    const auto changed = io::with_settings(*pim, settings);
    ASSERT_TRUE(changed) << changed.error().to_string();
    const System& system = *changed;
    const auto stream =
        stream_of(kernel_named(example["kernel"], example["out_tiles"], example["in_tiles"]), system);
    ASSERT_TRUE(stream);
    const auto stepped = sim::cnm::step_channel(system, *stream, 1'000'000);
    EXPECT_EQ(stepped->cycles, example["cycles"]) << example;
    const auto run = run_channel(system, *stream, 1'000'000);
    EXPECT_EQ(run->cycles, example["cycles"]) << example;
    EXPECT_EQ(run->causes, stepped->causes) << example;
  }
}

TEST(HbmStepper, ReproducesEveryPublishedRow) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/pimsim.csv");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto pim = io::read_cnm_system("hbm-pim", {});
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    const auto kernel = kernel_named(row[0], std::stoll(row[3]), std::stoll(row[4]));
    const Int cycles = std::stoll(row[5]);
    const auto stream = stream_of(kernel, *pim);
    ASSERT_TRUE(stream);
    const auto run = run_channel(*pim, *stream, 1'000'000);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->cycles, cycles) << line;
    EXPECT_EQ(run->causes.total(), run->cycles) << line;
    if (cycles > static_cast<Int>(tests::setting("NESTOR_CNM_CYCLES", 5'000))) continue;
    const auto stepped = sim::cnm::step_channel(*pim, *stream, 10'000'000);
    EXPECT_EQ(stepped->cycles, cycles) << line;
    EXPECT_EQ(stepped->causes, run->causes) << line;
    ++rows;
  }
  EXPECT_GT(rows, 20);
}

Stream random_stream(Random& random) {
  const auto access = [&](std::size_t depth) {
    Access a{.write = random.chance(0.4),
             .bank = static_cast<Int>(random.below(random.chance(0.7) ? 2 : 16))};
    a.count = random.between(1, 12);
    a.address = random.chance(0.1) ? std::array<Int, 3>{row_registers * 32, row_all_bank * 32 + 31,
                                                        row_single_bank * 32 + 31}[random.below(3)]
                                   : static_cast<Int>(random.below(64)) * 16;
    if (a.address > row_park) a.count = 1;
    if (random.chance(0.1))  // the loop advances into special rows
      a.address =
          std::array<Int, 4>{row_park, row_all_bank, row_single_bank, row_registers}[random.below(4)] * 32 -
          random.between(1, 1500);
    for (std::size_t d = 0; d < depth; ++d)
      a.stride[d] = std::array<Int, 5>{0, 8, 32, 64, 20}[random.below(5)];
    return a;
  };
  const auto group = [&](std::size_t depth) {
    StreamItem item;
    for (auto n = random.between(1, 3); n > 0; --n) item.accesses.push_back(access(depth));
    return item;
  };
  Stream stream;
  for (auto items = random.between(1, 4); items > 0; --items) {
    stream.push_back(group(0));
    if (random.chance(0.4)) continue;
    StreamItem loop{.trips = random.between(0, 60)};
    for (auto n = random.between(1, 3); n > 0; --n) loop.body.push_back(group(1));
    if (random.chance(0.5))
      loop.body.push_back({.trips = random.between(1, 30), .body = {group(2), group(2)}});
    stream.push_back(loop);
  }
  if (random.chance(0.7)) {  // enters all-bank mode as the library does
    StreamItem enter;
    for (const Int bank : {0, 1, 8, 9})
      enter.accesses.push_back({.write = true, .bank = bank, .count = 1, .address = row_all_bank * 32 + 31});
    stream.insert(stream.begin(), enter);
  }
  return stream;
}

// True if a long outermost loop moves an access from data into a special row, or past one.
bool crosses_special_rows(const Stream& stream) {
  for (const StreamItem& item : stream)
    for (const StreamItem& group : item.body)
      for (const Access& access : group.accesses)
        for (const Int row : {row_park, row_all_bank, row_single_bank, row_registers})
          if (item.trips >= 8 && access.address < row * 32 &&
              access.address + access.stride[0] * (item.trips - 1) >= row * 32)
            return true;
  return false;
}

/// Returns a stream in which a row that advances with the trips passes a fixed row of the same bank.
Stream passing_stream(Random& random) {
  const Int row = random.between(20, 40), trips = random.between(12, 80);
  const auto access = [&](Int bank, Int at, Int stride) {
    return Access{.write = random.chance(0.3),
                  .bank = bank,
                  .count = random.between(1, 4),
                  .address = at * 32,
                  .stride = {stride}};
  };
  std::vector<Access> accesses = {access(0, row, 0), access(0, row - random.between(0, 10), 32)};
  for (auto others = random.between(0, 2); others > 0; --others)
    accesses.push_back(access(random.between(1, 3), random.between(0, 3), 0));
  if (random.chance(0.3)) std::swap(accesses[0], accesses[1]);
  StreamItem loop{.trips = trips};
  for (const Access& one : accesses) {
    if (loop.body.empty() || random.chance(0.7)) loop.body.emplace_back();
    loop.body.back().accesses.push_back(one);
  }
  return {loop};
}

struct RandomCase {
  System system;
  Stream stream;
};
RandomCase random_case(const System& pim, std::uint64_t seed) {
  Random random(seed);
  RandomCase c{pim, {}};
  Dram& d = c.system.dram;
  for (Int* time : {&d.RL, &d.WL, &d.tCCDS, &d.tCCDL, &d.tRCDRD, &d.tRCDWR, &d.tRAS, &d.tRP, &d.tRC, &d.tRRDS,
                    &d.tRRDL, &d.tRTPL, &d.tWR, &d.tWTRL, &d.tRTRS, &d.XAW, &d.tXAW, &d.queue})
    if (random.chance(0.2)) *time = std::max<Int>(1, *time + random.between(-3, 8));
  if (random.chance(0.5)) d.tREFI = random.between(600, 5000);
  if (random.chance(0.5)) d.tRFC = random.between(0, 400);
  if (random.chance(0.2)) d.queue = random.between(1, 40);
  c.stream = random_stream(random);
  return c;
}

TEST(HbmMachine, RemembersAndSkipsWithoutLosingACycle) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_STREAMS", 40);
  // Regression cases: an open row that later bursts reuse; a row opened again by the burst that opened it
  // last.
  constexpr std::array<std::uint64_t, 2> found_before = {308'801, 503'712};
  int finished = 0, refreshed = 0, skipped = 0, crossed = 0;
  for (std::uint64_t i = 0; finished < static_cast<int>(count) && i < 20 * count; ++i) {
    const std::uint64_t at = i < found_before.size() ? found_before[i] : seed + i + 1 - found_before.size();
    const auto [system, stream] = random_case(*pim, at);
    // A stream may wait for a bank that all-bank mode never opens. Both machines must detect this.
    constexpr Int longest = 40'000;
    const auto run = run_channel(system, stream, longest);
    // Three of four streams wait forever or take too long. Executing them step by step is slow, so only one
    // in ten runs to the full limit.
    const bool ends = run && run->cycles <= longest;
    const Int most_cycles = ends || at % 10 == 0 ? longest : longest / 10;
    const auto stepped = sim::cnm::step_channel(system, stream, most_cycles);
    if (!stepped) {
      ASSERT_FALSE(ends) << "seed " << at;
      continue;
    }
    ASSERT_TRUE(run) << "seed " << at;
    ASSERT_EQ(run->cycles, stepped->cycles) << "seed " << at;
    ASSERT_EQ(run->causes, stepped->causes) << "seed " << at;
    ++finished;
    refreshed += static_cast<int>(run->causes.refresh > 0);
    skipped += static_cast<int>(run->cycles_simulated * 2 < run->cycles);
    crossed += static_cast<int>(crosses_special_rows(stream) && run->cycles_simulated < run->cycles);
  }
  EXPECT_EQ(finished, static_cast<int>(count));
  EXPECT_GT(refreshed, static_cast<int>(count) / 8);
  EXPECT_GT(skipped, static_cast<int>(count) / 20);
  EXPECT_GT(crossed, static_cast<int>(count) / 40);
}

void add_twins(Stream& stream) {
  for (StreamItem& item : stream) {
    add_twins(item.body);
    if (item.accesses.empty()) continue;
    Access twin = item.accesses.front();
    twin.write = !twin.write;
    item.accesses.insert(item.accesses.begin() + 1, twin);
  }
}

// Reads and writes at the same address keep their order, even if the later burst could start earlier.
TEST(HbmMachine, KeepsTheOrderOfBurstsAtOneAddress) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  int finished = 0;
  for (std::uint64_t seed = 1; finished < 40 && seed < 400; ++seed) {
    auto [system, stream] = random_case(*pim, seed);
    add_twins(stream);
    const auto stepped = sim::cnm::step_channel(system, stream, 40'000);
    if (!stepped) continue;
    const auto run = run_channel(system, stream, 1'000'000);
    ASSERT_TRUE(run) << "seed " << seed;
    ASSERT_EQ(run->cycles, stepped->cycles) << "seed " << seed;
    ASSERT_EQ(run->causes, stepped->causes) << "seed " << seed;
    ++finished;
  }
  EXPECT_EQ(finished, 40);
}

// Loops in which a moving row reaches a special row or another row. Skipping must stop before the iteration
// in which this happens.
TEST(HbmMachine, StopsSkippingBeforeTripsDiffer) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  const auto loop = [](const std::vector<Access>& accesses) {
    StreamItem item{.trips = 3000};
    for (const Access& access : accesses) item.body.push_back({.accesses = {access}});
    return Stream{item};
  };
  const auto moving = [](Int bank, Int row, Int stride) {
    return Access{.bank = bank, .count = 4, .address = row * 32, .stride = {stride}};
  };
  std::vector<Stream> streams = {loop({moving(0, 0, 32), moving(0, 2500, 0)}),
                                 loop({moving(0, 0, 32), moving(0, 1250, 16)})};
  for (const Int row : {row_park, row_all_bank, row_single_bank, row_registers}) {
    Access behind = moving(0, row - 2500, 32);
    behind.address += 8;
    streams.push_back(loop({moving(0, row - 2500, 32), behind}));
  }
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto stepped = sim::cnm::step_channel(*pim, streams[i], 1'000'000);
    const auto run = run_channel(*pim, streams[i], 1'000'000);
    ASSERT_TRUE(stepped && run) << i;
    EXPECT_EQ(run->cycles, stepped->cycles) << i;
    EXPECT_EQ(run->causes, stepped->causes) << i;
    // The limit is below the number of groups, so the run completes only if whole trips are skipped.
    skipped += static_cast<std::size_t>(run_channel(*pim, streams[i], 4'000).has_value());
  }
  EXPECT_GE(skipped, 4U);
}

// The row that a trip left open may be the fixed row. In this case, the next trip differs from later trips.
// Refresh occurs so often that the channel soon returns to an earlier state.
TEST(HbmMachine, DoesNotSkipTripsAfterTwoRowsMeet) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_STREAMS", 40) * 50;
  std::uint64_t finished = 0, skipped = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = *pim;
    Dram& d = system.dram;
    d.ranks = static_cast<Int>(random.between(1, 2));
    d.tREFI = random.between(8, 400);
    d.tRFC = random.between(0, 20);
    for (Int* time : {&d.tRAS, &d.tRP, &d.tRC, &d.tWR, &d.tRTPL, &d.tRCDRD})
      if (random.chance(0.5)) *time = random.between(1, 6);
    const Stream stream = passing_stream(random);
    const auto stepped = sim::cnm::step_channel(system, stream, 40'000);
    if (!stepped) continue;
    const auto run = run_channel(system, stream, 1'000'000);
    ASSERT_TRUE(run) << "seed " << seed + i;
    ASSERT_EQ(run->cycles, stepped->cycles) << "seed " << seed + i;
    ASSERT_EQ(run->causes, stepped->causes) << "seed " << seed + i;
    ++finished;
    skipped += static_cast<std::uint64_t>(run->cycles_simulated < run->cycles);
  }
  EXPECT_GT(finished, count / 2);
  EXPECT_GT(skipped, count / 4);
}

TEST(HbmMachine, LongStreamsNeedLittleSimulation) {
  const auto pim = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(pim.ok());
  for (const char* name : {"add", "relu"}) {
    const auto short_stream = stream_of(kernel_named(name, 4000, 1), *pim);
    const auto run = run_channel(*pim, *short_stream, 1'000'000);
    ASSERT_TRUE(run);
    EXPECT_LT(run->cycles_simulated, 300'000);
    EXPECT_EQ(run->cycles, sim::cnm::step_channel(*pim, *short_stream, 10'000'000)->cycles);
  }
  const auto stream = stream_of(kernel_named("gemv", 60, 60), *pim);
  const auto run = run_channel(*pim, *stream, 1'000'000);
  EXPECT_EQ(run->cycles, sim::cnm::step_channel(*pim, *stream, 10'000'000)->cycles);
}

}  // namespace
}  // namespace nestor::cnm::hbm_machine_test
