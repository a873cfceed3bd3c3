// Tests of the checker on HBM-PIM. Its simulated channel, its streams and its costs agree with those of the
// estimate, its bounds never exceed the costs, it accepts the search's claims on small mapping spaces, and it
// accepts no false claim.

#include <gtest/gtest.h>

#include "cnm_results.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/hbm_machine.h"
#include "model/cnm/search/channel_maps.h"
#include "model/cnm/stream_builder.h"
#include "model/cnm/stream_cursor.h"
#include "support/setting.h"

namespace nestor::cnm_pim_test {
namespace {

using check_cases::CnmCase;
using check_cases::Json;
using check_cases::pim_case;
using check_cases::pim_system;
namespace checked = check::cnm;

constexpr std::uint64_t few = 30;  // with fewer cases, coverage is not checked

std::uint64_t seed_of_tests() { return tests::setting("NESTOR_CNM_SEED", 1); }
std::uint64_t cases() {
  return tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 30));
}

Json result_json(const CnmCase& of) {
  auto result = check_cases::result_json(of, nullptr, 0, "optimal", 0);
  result["searched"] = std::string(cnm::of_general_streams);
  return result;
}

Json map_entry(const cnm::CnmMap& map, double time_ms) {
  auto entry = check_cases::map_entry(map, time_ms);
  entry.update(report::pim_keys_json(map.pim));
  return entry;
}

// Returns the groups of a stream as lists of single bursts.
std::vector<checked::Group> groups_of(const cnm::Stream& stream, Int row_bursts) {
  std::vector<checked::Group> groups;
  for (cnm::StreamCursor cursor(stream); !cursor.at_end(); cursor.advance()) {
    groups.emplace_back();
    for (const cnm::Access& access : cursor.group().accesses)
      for (Int i = 0; i < access.count; ++i) {
        const Int address = cursor.address(access) + i;
        groups.back().push_back({access.write, access.bank, address / row_bursts, address % row_bursts});
      }
  }
  return groups;
}

std::optional<Int> stepped(const checked::PimMachine& machine, const std::vector<checked::Group>& groups) {
  try {
    checked::Channel channel(machine);
    for (const auto& group : groups) channel.take(group);
    return channel.finish();
  } catch (const checked::Channel::Stuck&) {
    return std::nullopt;
  }
}

// The checker's channel takes as many cycles as run_channel() for random streams. Between the groups that
// begin and end every stream, a stream has random bursts to a few rows of a few banks, in any order within a
// group.
TEST(PimChannel, TakesTheCyclesOfTheEngine) {
  Random random(seed_of_tests());
  std::uint64_t ran = 0, refreshed = 0;
  for (std::uint64_t i = 0; i < cases() * 20; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const CnmCase of = pim_case(random, 8);
    const cnm::StreamBuilder build(of.system);
    const bool all_banks = random.chance(0.7);
    cnm::Stream stream = {build.park()};
    if (all_banks) stream.push_back(build.enter_all_banks());
    if (all_banks && random.chance(0.5)) stream.push_back(build.toggle_pim());
    const Int rows = random.between(1, 4), most = random.between(1, 10);
    for (auto left = random.between(1, 300); left > 0; --left) {
      std::vector<cnm::Access> accesses;
      const bool write = random.chance(0.4);
      for (auto bursts = random.between(1, most); bursts > 0; --bursts)
        accesses.push_back({random.chance(0.9) ? write : !write,
                            random.between(0, all_banks ? 1 : 15),
                            random.chance(0.8) ? 1 : 8,
                            random.between(0, 32 * rows - 1),
                            {}});
      stream.push_back(cnm::StreamBuilder::group(std::move(accesses)));
    }
    if (all_banks) stream.push_back(build.leave_all_banks());
    stream.push_back(build.park());
    const auto problem = checked::read_pim_problem(result_json(of));
    const auto run = cnm::run_channel(of.system, stream, 1'000'000);
    const auto cycles = stepped(problem.machine, groups_of(stream, of.system.pim.row_bursts));
    ASSERT_EQ(cycles.has_value(), run.has_value());
    if (!run) continue;
    ASSERT_EQ(*cycles, run->cycles);
    ++ran;
    refreshed += static_cast<std::uint64_t>(run->causes.refresh > of.system.dram.tRFC);
  }
  if (cases() < few) return;
  EXPECT_GT(ran, cases() * 5);
  EXPECT_GT(refreshed, cases());
}

TEST(PimStream, EqualsTheLibraryForEveryNumberOfTiles) {
  CnmCase of;
  of.system = *io::read_cnm_system("hbm-pim", {});
  for (Int outputs = 1; outputs <= 6; ++outputs)
    for (Int inputs = 1; inputs <= 6; ++inputs) {
      of.kernel = cnm::matrix_product("mv", 64 * outputs, 1, 128 * inputs, cnm::Type::f16);
      cnm::CnmMap map;
      map.tuples = {{1, 1}, {8, 1}, {1, 16}, {8 * outputs, 8 * inputs}};
      const auto work = cnm::channel_work(of.kernel, map, true, of.system);
      ASSERT_TRUE(work.stream.has_value()) << work.refusal;
      const auto problem = checked::read_pim_problem(result_json(of));
      const checked::PimMapping mapping{{1, 1}, {8, 1}, {1, 16}, {8 * outputs, 8 * inputs}, {}, {}};
      const checked::PimStream stream(problem, mapping);
      std::vector<checked::Group> groups;
      stream.each_group([&](const checked::Group& group) { groups.push_back(group); });
      ASSERT_EQ(groups, groups_of(*work.stream, of.system.pim.row_bursts)) << outputs << " " << inputs;
    }
}

TEST(PimStream, EqualsTheEstimateAndNeverTakesLessThanItsBound) {
  Random random(seed_of_tests());
  const std::uint64_t wanted = cases() * 10;
  std::uint64_t legal = 0, illegal = 0, counted = 0, close = 0, halved = 0;
  for (std::uint64_t i = 0; legal < wanted && i < 100 * wanted; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    CnmCase of = pim_case(random, random.chance(0.7) ? 60 : 900);
    const bool has_many_registers = random.chance(0.3);
    if (has_many_registers) of.system.pim.grf = random.between(9, 64);
    const bool reduction =
        std::find(of.kernel.reduction.begin(), of.kernel.reduction.end(), true) != of.kernel.reduction.end();
    auto map = tests::random_channel_map(random, of.kernel, reduction);
    if (map.parts(1) > of.system.levels[1].size || map.pim.half_dim || map.pim.bank ||
        !cnm::find_shape_fault(map, of.kernel.dim_count(), of.system).empty())
      continue;
    map.pim.half = map.pim.half.value_or(cnm::PimHalf::split);
    if (reduction && has_many_registers) map.block = map.tuples[3];
    if (reduction && map.block.empty()) map.block.assign(of.kernel.dim_count(), 1);
    if (reduction && map.order.empty())
      for (std::size_t d = 0; d < of.kernel.dim_count(); ++d) map.order.push_back(d);
    if (!reduction) map.pim.grf = map.pim.grf.value_or(8);
    if (!reduction) map.pim.layout = map.pim.layout.value_or(cnm::PimLayout::apart);
    const auto work = cnm::channel_work(of.kernel, map, true, of.system);
    const auto problem = checked::read_pim_problem(result_json(of));
    const auto mapping = checked::read_mapping(map_entry(map, 0), problem);
    const checked::PimStream stream(problem, mapping);
    ASSERT_EQ(stream.is_legal(), work.stream.has_value()) << work.refusal;
    if (!work.stream) {
      ++illegal;
      continue;
    }
    if (cnm::burst_count(*work.stream).value_or(cnm::max_count) > 100'000) continue;
    ++legal;
    std::vector<checked::Group> groups;
    stream.each_group([&](const checked::Group& group) { groups.push_back(group); });
    ASSERT_EQ(groups, groups_of(*work.stream, of.system.pim.row_bursts)) << io::to_mlir(of.kernel);
    const auto run = cnm::run_channel(of.system, *work.stream, 1'000'000);
    const Int unlimited = Int{1} << 60;
    const auto cycles = stream.cycles(unlimited);
    ASSERT_EQ(cycles.has_value(), run.has_value());
    if (!run) continue;
    ASSERT_EQ(*cycles, run->cycles);
    ASSERT_LE(stream.bound(), run->cycles) << io::to_mlir(of.kernel);
    ASSERT_TRUE(mapping.is_library() || checked::least_cycles(problem, mapping) <= run->cycles);
    // A simulation that stops early returns a valid lower bound.
    const Int enough = random.between(1, run->cycles + 5);
    const Int least = *stream.cycles(enough);
    ASSERT_LE(least, run->cycles);
    ASSERT_EQ(least >= enough, run->cycles >= enough);
    counted += static_cast<std::uint64_t>(run->cycles > 2'000);
    close += static_cast<std::uint64_t>(run->cycles > 2'000 && stream.bound() * 10 > run->cycles * 9);
    halved += static_cast<std::uint64_t>(map.pim.half != cnm::PimHalf::even);
  }
  EXPECT_EQ(legal, wanted);
  if (cases() < few) return;
  EXPECT_GT(illegal, wanted / 20);
  EXPECT_GT(counted, wanted / 10);
  EXPECT_GT(close, counted / 40) << "of " << counted;
  EXPECT_GT(halved, wanted / 3);
}

// Tiles of the output that keep a bank open for longer than a refresh interval. Refreshes that become due
// during this time run together.
TEST(PimStream, CountsRefreshesThatWaitForEachOtherOnce) {
  constexpr Int tile = 512;  // vectors
  CnmCase of{cnm::matrix_product("mv", 128 * 8 * tile, 1, 1, cnm::Type::f16),
             *io::read_cnm_system("hbm-pim", {})};
  of.system.pim.grf = of.system.pim.row_bursts = tile;
  const checked::PimMapping mapping{
      {1, 1}, {8, 1}, {16, 1}, {8 * tile, 1}, {tile, 1}, {0, 1}, checked::Half::even};
  for (Int i = 0; i < 30; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    of.system.dram.tREFI = 600 + 100 * (i % 10);
    of.system.dram.tRFC = 200 + 100 * (i / 10);
    const auto problem = checked::read_pim_problem(result_json(of));
    const checked::PimStream stream(problem, mapping);
    ASSERT_TRUE(stream.is_legal());
    const auto cycles = stream.cycles(Int{1} << 60);
    ASSERT_TRUE(cycles);
    EXPECT_LE(stream.bound(), *cycles);
  }
}

TEST(PimStream, EqualsTheEstimateOfTheLibrary) {
  Random random(seed_of_tests());
  for (std::uint64_t i = 0; i < cases() * 2; ++i) {
    CnmCase of{cnm::matrix_product("mv", random.between(1, 900), 1, random.between(1, 3000), cnm::Type::f16),
               pim_system(random)};
    if (random.chance(0.3)) of.system.pim.reserved_row = random.between(1, 40);
    cnm::CnmMap map;
    // A dim has at most as many channels as elements in every member of the space.
    map.tuples = {{random.between(1, std::min<Int>(4, of.kernel.extents[0])),
                   random.between(1, std::min<Int>(4, of.kernel.extents[1]))},
                  {8, 1},
                  {1, 16},
                  {1, 1}};
    for (std::size_t d = 0; d < 2; ++d)
      map.tuples[3][d] =
          ceil_divide(of.kernel.extents[d], map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]);
    const auto exact = cnm::estimate_kernel(of.kernel, {map}, of.system, check_cases::no_library);
    const auto problem = checked::read_pim_problem(result_json(of));
    const auto cost = checked::cost_of(problem, checked::read_mapping(map_entry(map, 0), problem));
    ASSERT_EQ(cost.has_value(), exact.refusal.empty()) << exact.refusal;
    if (!cost) continue;
    EXPECT_EQ(cost->cycles, checked::Fraction(static_cast<Int>(exact.cycles)));
    EXPECT_NEAR(static_cast<double>(cost->time.over) / static_cast<double>(cost->time.under),
                exact.time_ms * 1e9, 1);
  }
}

// A case with a small mapping space and all members of this space, best first.
struct Space {
  CnmCase of;
  std::vector<cnm::MemberCost> members;
};
std::vector<cnm::MemberCost> members_of(const CnmCase& of) {
  return cnm::channel_maps(of.kernel, of.system, cnm::ChannelSpace::whole, std::nullopt).members;
}
Space small_space(Random& random) {
  Space made{pim_case(random, 24), {}};
  cnm::System& system = made.of.system;
  system.levels[0].size = random.between(1, 3);
  system.levels[1].size = std::array<Int, 3>{2, 3, 4}[random.below(3)];
  system.levels[2].size = std::array<Int, 2>{2, 4}[random.below(2)];
  if (random.chance(0.3)) system.host.reduce_ns = 0.01;
  if (random.chance(0.4)) system.pim.grf = std::array<Int, 4>{4, 4, 12, 32}[random.below(4)];
  if (random.chance(0.2)) system.pim.crf = 8;
  if (random.chance(0.1)) system.pim.reserved_row = random.between(1, 4);
  auto& kernel = made.of.kernel;
  if (kernel.dim_count() == 3)
    for (Int& extent : kernel.extents) extent = std::min<Int>(extent, 6);
  for (cnm::KernelOperand& operand : kernel.operands) {
    std::size_t at = 0;
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      if (operand.uses(d)) operand.dims[at++] = kernel.extents[d];
  }
  made.members = members_of(made.of);
  return made;
}

// Returns a result that claims that `map` is optimal with this cost or, without a map, that no mapping costs
// less.
Json claim(const CnmCase& of, const cnm::CnmMap* map, double cost) {
  const double time = cnm::ms_of(cost);
  auto result = result_json(of);
  result["lower_bound_ms"] = time;
  if (map == nullptr) {
    result["status"] = "time_limit";
    return result;
  }
  result["time_ms"] = time;
  result["maps"].push_back(map_entry(*map, time));
  return result;
}
std::string verdict(const CnmCase& of, const Json& result) {
  const auto said = check_cases::verdict_on(of, result, {});
  return said.word + ": " + said.sentence;
}
bool is_verified(const std::string& said) { return said.starts_with("verified"); }

TEST(PimClaims, OnlyTrueClaimsOfSmallSpacesAreVerified) {
  Random random(seed_of_tests());
  std::uint64_t spaces = 0, lists = 0, changed = 0, no_longer = 0;
  const std::uint64_t wanted = cases() / 2;
  for (std::uint64_t i = 0; spaces < wanted && i < 20 * wanted; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const Space space = small_space(random);
    const CnmCase& of = space.of;
    const auto& members = space.members;
    if (members.empty()) continue;
    ++spaces;
    const double best = members[0].cost;
    const auto truth = verdict(of, claim(of, &members[0].map, best));
    ASSERT_TRUE(is_verified(truth)) << truth << io::to_mlir(of.kernel);
    const double more = best + std::max(2.0, best * 1e-6);
    EXPECT_FALSE(is_verified(verdict(of, claim(of, nullptr, more))));
    EXPECT_FALSE(is_verified(verdict(of, claim(of, &members[0].map, best * 0.999 - 2))));
    const auto& other = members[random.below(members.size())];
    const auto cost = checked::cost_of(
        checked::read_pim_problem(result_json(of)),
        checked::read_mapping(map_entry(other.map, 0), checked::read_pim_problem(result_json(of))));
    ASSERT_TRUE(cost.has_value());
    EXPECT_NEAR(static_cast<double>(cost->time.over) / static_cast<double>(cost->time.under), other.cost, 1);
    EXPECT_EQ(is_verified(verdict(of, claim(of, &other.map, other.cost))), other.cost <= best + 1)
        << verdict(of, claim(of, &other.map, other.cost));
    // Claims a list of the best members, which is verified, and the same list without one member, which is
    // not.
    const std::size_t count = std::min<std::size_t>(members.size(), 2 + random.below(6));
    auto listed = claim(of, &members[0].map, best);
    for (std::size_t m = 0; m < count; ++m)
      listed["top"].push_back(map_entry(members[m].map, cnm::ms_of(members[m].cost)));
    const auto all = verdict(of, listed);
    EXPECT_TRUE(is_verified(all)) << all;
    if (count > 2 && members[1].cost + 2 < members[count - 1].cost) {
      listed["top"].erase(1);
      EXPECT_FALSE(is_verified(verdict(of, listed)));
      ++lists;
    }
    // Changes the system, so that the mapping may no longer be the best one.
    CnmCase changed_case = of;
    auto& system = changed_case.system;
    switch (random.below(6)) {
      case 0:
        system.levels[0].size += 1;
        break;
      case 1:
        system.levels[1].size = system.levels[1].size == 2 ? 4 : 2;
        break;
      case 2:
        system.levels[2].size = system.levels[2].size == 2 ? 4 : 2;
        break;
      case 3:
        system.dram.tWTRL = random.between(1, 40);
        break;
      case 4:
        system.pim.grf = random.chance(0.5) ? 1 : 16;
        break;
      default:
        system.dram.tRP = random.between(1, 60);
        break;
    }
    const auto now = members_of(changed_case);
    const auto same = std::find_if(now.begin(), now.end(),
                                   [&](const cnm::MemberCost& m) { return m.map == members[0].map; });
    ++changed;
    const double said = same == now.end() ? best : same->cost;
    const bool is_true = same != now.end() && same->cost <= now[0].cost;
    no_longer += static_cast<std::uint64_t>(!is_true);
    EXPECT_EQ(is_verified(verdict(changed_case, claim(changed_case, &members[0].map, said))), is_true);
  }
  EXPECT_EQ(spaces, wanted);
  if (cases() < few) return;
  EXPECT_GT(lists, wanted / 5);
  EXPECT_GT(no_longer, wanted / 8);
  EXPECT_LT(no_longer, changed);
}

TEST(PimClaims, NonMembersHaveNoCost) {
  CnmCase of{cnm::matrix_product("mm", 40, 24, 48, cnm::Type::f16), *io::read_cnm_system("hbm-pim", {})};
  const auto problem = checked::read_pim_problem(result_json(of));
  using checked::PimMapping, checked::Half;
  const PimMapping whole{{5, 3, 1}, {8, 1, 1}, {1, 16, 1}, {1, 1, 48}, {1, 1, 8}, {2, 0, 1}, Half::even};
  EXPECT_TRUE(checked::cost_of(problem, whole).has_value());
  const auto is_none = [&](const auto& change) {
    auto mapping = whole;
    change(mapping);
    return !checked::cost_of(problem, mapping).has_value();
  };
  EXPECT_TRUE(is_none([](PimMapping& m) { m.channels = {5, 13, 1}; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.channels = {1, 25, 1}; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.blocks = {4, 1, 1}; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.lanes = {1, 8, 1}; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.local[2] = 56; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.local[0] = 2; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.block[2] = 16; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.block[2] = 3; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.order = {0, 1, 2}; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.grf = 8; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.layout = checked::Layout::apart; }));
  EXPECT_TRUE(is_none([](PimMapping& m) { m.half = Half::none; }));
}

}  // namespace
}  // namespace nestor::cnm_pim_test
