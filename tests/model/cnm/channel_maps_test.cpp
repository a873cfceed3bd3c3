// Tests of general streams of HBM-PIM: worked examples with exact cycles, bounds compared with the cycles of
// streams, and the search compared with every member of small mapping spaces.
#include "model/cnm/search/channel_maps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "io/cnm/mapping_file.h"
#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/estimate/pim_map.h"
#include "model/cnm/search/channel_bound.h"
#include "model/cnm/search/channel_cuts.h"
#include "model/cnm/search/stream_bound.h"
#include "places.h"
#include "random_channels.h"
#include "sim/cnm/hbm_stepper.h"
#include "support/setting.h"

namespace nestor::cnm::channel_maps_test {
namespace {

using nlohmann::json;

const Library no_library = [](const LibraryRequest&) { return std::optional<Listing>(); };

System hbm_pim() { return *io::read_cnm_system("hbm-pim", {}); }

json read_examples() {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples2.json");
  return file ? json::parse(file) : json();
}

TEST(ChannelMaps, ReproduceTheWorkedExamplesToTheCycle) {
  const json examples = read_examples();
  if (examples.is_null()) GTEST_SKIP() << "no reference data";
  for (const auto& example : examples["hbm"]) {
    std::vector<std::string> settings;
    for (const auto& [path, value] : example["set"].items()) settings.push_back(path + "=" + value.dump());
    const auto changed = io::with_settings(hbm_pim(), settings);
    ASSERT_TRUE(changed) << changed.error().to_string();
    const System& system = *changed;
    const auto kernel = io::parse_mlir(example["mlir"].get<std::string>(), "example");
    ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
    const auto mapping = io::parse_cnm_mapping(example["mapping"].get<std::string>(), "mapping");
    ASSERT_TRUE(mapping.ok()) << mapping.error().to_string();
    const auto estimate = estimate_kernel(*kernel, *mapping, system, no_library);
    ASSERT_EQ(estimate.refusal, "") << example["kind"];
    std::vector<double> cycles;
    for (const auto& map : estimate.maps) cycles.push_back(map.estimate.cycles);
    EXPECT_EQ(cycles, example["cycles"].get<std::vector<double>>())
        << example["kind"] << " " << example["mapping"];
    EXPECT_NEAR(estimate.time_ms, example["time_ms"].get<double>(), 1e-12) << example["kind"];
    for (std::size_t i = 0; i < estimate.maps.size(); ++i) {
      const auto work = channel_work(*kernel, estimate.maps[i].map, estimate.maps.size() == 1, system);
      const auto stepped = sim::cnm::step_channel(system, *work.stream, 10'000'000);
      EXPECT_EQ(stepped->cycles, example["cycles"][i]) << example["kind"];
    }
  }
}

TEST(ChannelMaps, RefuseMapsThatBreakARule) {
  const json examples = read_examples();
  if (examples.is_null()) GTEST_SKIP() << "no reference data";
  const System system = hbm_pim();
  for (const auto& example : examples["refused"]) {
    const auto kernel = io::parse_mlir(example["mlir"].get<std::string>(), "example");
    ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
    const auto mapping = io::parse_cnm_mapping(example["mapping"].get<std::string>(), "mapping");
    ASSERT_TRUE(mapping.ok()) << mapping.error().to_string();
    const auto estimate = estimate_kernel(*kernel, *mapping, system, no_library);
    EXPECT_NE(estimate.refusal, "") << example["rule"];
  }
}

TEST(ChannelMaps, FindTheBestOfTheWorkedExamples) {
  const json examples = read_examples();
  if (examples.is_null()) GTEST_SKIP() << "no reference data";
  for (const auto& example : examples["best"]) {
    System system = hbm_pim();
    system.levels[0].size = example["channels"];
    const auto kernel = io::parse_mlir(example["mlir"].get<std::string>(), "example");
    ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
    const auto found = channel_maps(*kernel, system, ChannelSpace::whole, 1);
    ASSERT_EQ(found.members.size(), 1U);
    EXPECT_EQ(found.members[0].cost, example["time_ps"]) << example["kind"];
    EXPECT_EQ(io::to_text(CnmMapping{found.members[0].map}), example["mapping"].get<std::string>());
    const auto all = channel_maps(*kernel, system, ChannelSpace::whole, std::nullopt);
    EXPECT_EQ(all.members.size(), example["members"]) << example["kind"];
    EXPECT_EQ(all.members[0].map, found.members[0].map);
  }
}

TEST(ChannelMaps, BoundsAreSafeOnTheStreamsOfRandomMaps) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_STREAMS", 250);
  Random random(seed);
  System system = hbm_pim();
  std::uint64_t stepped = 0, moving = 0;
  for (std::uint64_t i = 0; stepped < count && i < 60 * count; ++i) {
    SCOPED_TRACE(fmt::format("seed {} case {}", seed, i));
    const bool reduction = random.chance(0.7);
    const Kernel kernel = reduction ? tests::random_reduction(random, random.chance(0.9) ? 60 : 900)
                                    : tests::random_pointwise(random, 800);
    const CnmMap map = tests::random_channel_map(random, kernel, reduction);
    if (!find_shape_fault(map, kernel.dim_count(), system).empty()) continue;
    const auto work = channel_work(kernel, map, true, system);
    if (!work.stream || is_library_form(map, system) || *burst_count(*work.stream) > 24'000) continue;
    if (random.chance(0.3)) system.dram.tREFI = random.between(400, 4000);
    if (random.chance(0.3)) system.dram.tRCDRD = random.between(8, 20);
    const auto run = run_channel(system, *work.stream, 10'000'000);
    const auto exact = sim::cnm::step_channel(system, *work.stream, 100'000'000);
    ASSERT_TRUE(run.has_value() && exact.has_value());
    ASSERT_EQ(run->cycles, exact->cycles) << io::to_mlir(kernel) << io::short_text(work.map);
    EXPECT_EQ(run->causes, exact->causes);
    EXPECT_LE(StreamBound(system).of(*work.stream), exact->cycles);
    if (reduction) {
      const PimForm form = pim_form_of(kernel);
      const PimMap complete = complete_pim_map(kernel, form, map, system);
      const ChannelBound bound(kernel, form, system);
      EXPECT_LE(bound.of_steps(complete), exact->cycles) << io::short_text(work.map);
      EXPECT_LE(bound.of_any_order(complete), bound.of_steps(complete)) << io::short_text(work.map);
    }
    ++stepped;
    moving += static_cast<std::uint64_t>(exact->cycles > 1'000);
  }
  EXPECT_EQ(stepped, count);
  EXPECT_GT(moving, count / 20);
}

// Lists all members of the mapping space without the search.
std::vector<MemberCost> every_member(const Kernel& kernel, const System& system) {
  const std::size_t dims = kernel.dim_count();
  std::vector<MemberCost> members;
  const auto add = [&](const CnmMap& map) {
    const auto estimate = estimate_kernel(kernel, {map}, system, no_library);
    if (estimate.refusal.empty()) members.push_back({map, cost_of(estimate.time_ms)});
  };
  const bool reduction =
      std::find(kernel.reduction.begin(), kernel.reduction.end(), true) != kernel.reduction.end();
  CnmMap map;
  map.tuples.assign(4, std::vector<Int>(dims, 1));
  const auto finish = [&] {
    for (std::size_t d = 0; d < dims; ++d)
      map.tuples[3][d] =
          ceil_divide(kernel.extents[d], map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]);
    if (is_library_form(map, system) && pim_kernel_of(kernel) && reduction) add(map);
    if (!reduction) {
      for (const PimHalf half : pim_halves.values)
        for (const PimLayout layout : pim_layouts.values)
          for (const Int grf : {8, 16}) {
            CnmMap member = map;
            member.pim = {grf, layout, half, {}, {}};
            add(member);
          }
      return;
    }
    Int combinations = 1;
    for (std::size_t d = 0; d < dims; ++d) combinations *= 4;
    for (Int c = 0; c < combinations; ++c) {
      CnmMap member = map;
      std::vector<std::size_t> several, others;
      Int rest = c;
      for (std::size_t d = 0; d < dims; ++d) {
        member.block.push_back(Int{1} << (rest % 4));
        rest /= 4;
        member.tuples[3][d] = ceil_divide(map.tuples[3][d], member.block[d]) * member.block[d];
        (member.tuples[3][d] / member.block[d] > 1 ? several : others).push_back(d);
      }
      do {
        member.order = several;
        member.order.insert(member.order.end(), others.begin(), others.end());
        for (const PimHalf half : pim_halves.values) {
          member.pim.half = half;
          add(member);
        }
      } while (std::next_permutation(several.begin(), several.end()));
    }
  };
  const auto cut = [&](const auto& self, std::size_t level, std::size_t dim, Int left) -> void {
    if (level == 3) return finish();
    if (dim == dims) {
      if (level > 0 && left > 1) return;
      return self(self, level + 1, 0, level + 1 < 3 ? system.levels[level + 1].size : 1);
    }
    for (Int factor = 1; factor <= left; ++factor) {
      if (level == 0 ? factor > kernel.extents[dim] : left % factor != 0) continue;
      map.tuples[level][dim] = factor;
      self(self, level, dim + 1, left / factor);
    }
  };
  cut(cut, 0, 0, system.levels[0].size);
  return members;
}

TEST(ChannelMaps, BestOfSmallSpacesIsTheBestOfAllMembers) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto spaces = tests::setting("NESTOR_CNM_SPACES", 8);
  Random random(seed);
  std::uint64_t closed = 0;
  for (std::uint64_t i = 0; i < spaces; ++i) {
    SCOPED_TRACE(fmt::format("seed {} case {}", seed, i));
    System system = hbm_pim();
    system.levels[0].size = random.between(1, 2);
    system.levels[1].size = std::array<Int, 2>{2, 4}[random.below(2)];
    system.levels[2].size = std::array<Int, 2>{2, 4}[random.below(2)];
    if (random.chance(0.3)) system.host.reduce_ns = 0.01;
    if (random.chance(0.3)) system.dram.tWTRL = 1;
    if (random.chance(0.2)) system.dram.RL = 5;
    if (random.chance(0.2)) system.dram.tCCDL = 2;
    Kernel kernel =
        random.chance(0.7) ? tests::random_reduction(random, 40) : tests::random_pointwise(random, 200);
    if (kernel.dim_count() == 3)
      for (Int& extent : kernel.extents) extent = std::min<Int>(extent, 6);
    for (KernelOperand& operand : kernel.operands) {
      std::size_t at = 0;
      for (std::size_t d = 0; d < kernel.dim_count(); ++d)
        if (operand.uses(d)) operand.dims[at++] = kernel.extents[d];
    }
    auto members = every_member(kernel, system);
    const auto found = channel_maps(kernel, system, ChannelSpace::whole, 1);
    ASSERT_EQ(found.members.empty(), members.empty());
    if (members.empty()) continue;
    std::sort(members.begin(), members.end(), [](const MemberCost& a, const MemberCost& b) {
      return a.cost != b.cost ? a.cost < b.cost : channels_precede(a.map, b.map);
    });
    EXPECT_EQ(found.members[0].cost, members[0].cost) << io::to_mlir(kernel);
    EXPECT_EQ(found.members[0].map, members[0].map) << io::to_mlir(kernel);
    closed += static_cast<std::uint64_t>(found.expanded < members.size());
    const auto some = channel_maps(kernel, system, ChannelSpace::whole, 7);
    ASSERT_EQ(some.members.size(), std::min<std::size_t>(7, members.size()));
    for (std::size_t at = 0; at < some.members.size(); ++at)
      EXPECT_EQ(some.members[at].map, members[at].map) << at << io::to_mlir(kernel);
  }
  EXPECT_GT(closed, spaces / 3);
}

// Returns the best map among those that tile a kernel exactly and run a general stream.
std::optional<MemberCost> best_exact_member(const Kernel& kernel, const System& system) {
  std::optional<MemberCost> best;
  for (const MemberCost& member : every_member(kernel, system)) {
    bool exact = member.map.pim.any();
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      exact = exact && member.map.extent(d) == kernel.extents[d];
    if (exact && (!best || member.cost < best->cost)) best = member;
  }
  return best;
}

// Returns the least time of all mappings that consist of two maps, in milliseconds.
double least_time_of_cuts(const Kernel& kernel, const System& system) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
    const Int extent = kernel.extents[d];
    for (Int full = 1; full < extent; ++full) {
      bool is_cut = false;
      for (Int units = 1; units <= 64 && !is_cut; ++units)
        is_cut = full == extent / units * units &&
                 units <= system.levels[0].size * system.levels[1].size * system.levels[2].size;
      if (!is_cut) continue;
      Kernel first = kernel, second = kernel;
      first.extents[d] = full;
      second.extents[d] = extent - full;
      auto one = best_exact_member(first, system), other = best_exact_member(second, system);
      if (!one || !other) continue;
      one->map.name = "M1";
      other->map.name = "M2";
      const auto estimate = estimate_kernel(kernel, {one->map, other->map}, system, no_library);
      if (estimate.refusal.empty()) least = std::min(least, estimate.time_ms);
    }
  }
  return least;
}

std::string matvec_text(Int rows, Int columns) {
  return fmt::format(
      "func.func @f(%A: memref<{0}x{1}xf16>, %x: memref<{1}xf16>, %y: memref<{0}xf16>) {{\n"
      "  linalg.matvec ins(%A, %x : memref<{0}x{1}xf16>, memref<{1}xf16>) outs(%y : memref<{0}xf16>)\n"
      "  return\n}}\n",
      rows, columns);
}

TEST(ChannelMaps, TwoMapsAreTheBestOverAllCuts) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto spaces = tests::setting("NESTOR_CNM_SPACES", 8);
  Random random(seed);
  std::uint64_t better = 0;
  for (std::uint64_t i = 0; i < spaces; ++i) {
    SCOPED_TRACE(fmt::format("seed {} case {}", seed, i));
    System system = hbm_pim();
    system.levels[0].size = 1;
    system.levels[1].size = 2;
    system.levels[2].size = std::array<Int, 2>{1, 2}[random.below(2)];
    if (random.chance(0.5)) system.host.reduce_ns = 0.01;
    // Two maps are useful for matrices that exceed whole tiles by a few rows.
    const bool is_matrix = i % 2 == 0;
    if (is_matrix) system.levels[2].size = 2;
    if (is_matrix) system.host.reduce_ns = 0;
    Kernel kernel = is_matrix ? *io::parse_mlir(matvec_text(32 + random.between(1, 3), 32), "matvec")
                    : random.chance(0.7) ? tests::random_reduction(random, 20)
                                         : tests::random_pointwise(random, 200);
    if (kernel.dim_count() == 3)
      for (Int& extent : kernel.extents) extent = std::min<Int>(extent, 5);
    for (KernelOperand& operand : kernel.operands) {
      std::size_t at = 0;
      for (std::size_t d = 0; d < kernel.dim_count(); ++d)
        if (operand.uses(d)) operand.dims[at++] = kernel.extents[d];
    }
    MapRequest request;
    request.threads = 1;
    const auto one = map_kernel(kernel, system, no_library, request);
    request.most_maps = 2;
    const auto two = map_kernel(kernel, system, no_library, request);
    ASSERT_EQ(one.status, Status::optimal);
    ASSERT_EQ(two.status, Status::optimal);
    const double least = std::min(one.time_ms, least_time_of_cuts(kernel, system));
    EXPECT_NEAR(two.time_ms, least, 1e-9) << io::to_mlir(kernel);
    if (two.mapping.size() == 1) continue;
    EXPECT_LT(two.time_ms, one.time_ms);
    ++better;
  }
  EXPECT_GT(better, 0U);
}

}  // namespace
}  // namespace nestor::cnm::channel_maps_test
