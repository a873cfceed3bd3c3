// Tests of the checker on kernels near memory. Its costs equal those of the estimate, it accepts the search's
// proofs of small mapping spaces, and it accepts no false claim. A ranking of all mappings of a space
// determines which claims are true.

#include <gtest/gtest.h>

#include "cnm_results.h"
#include "mapper/cnm/rank.h"
#include "model/cnm/tiles.h"
#include "support/setting.h"

namespace nestor::cnm_claims_test {
namespace {

using check_cases::CnmCase;
using check_cases::Json;
using check_cases::Pieces;

std::uint64_t seed_of_tests() { return tests::setting("NESTOR_CNM_SEED", 1); }
std::uint64_t cases() {
  return tests::setting("NESTOR_CNM_SPACES", tests::setting("NESTOR_EXACTNESS_CASES", 30));
}

check::cnm::Tuple tuple_of(const auto& numbers) { return {numbers.begin(), numbers.end()}; }

check::cnm::KernelMapping mapping_of(const cnm::CnmMap& map) {
  return {tuple_of(map.tuples[0]),
          tuple_of(map.tuples[1]),
          {tuple_of(map.tuples[2]), tuple_of(map.tuples[3]), tuple_of(map.block), tuple_of(map.order)}};
}

bool is_in_canonical_order(const cnm::CnmMap& map) {
  for (std::size_t i = 0; i + 1 < map.order.size(); ++i) {
    const bool idle = map.local()[map.order[i]] == 1, next_idle = map.local()[map.order[i + 1]] == 1;
    if (idle && !(next_idle && map.order[i] < map.order[i + 1])) return false;
  }
  return true;
}

TEST(CnmModel, CostsAndRulesEqualTheEstimate) {
  std::uint64_t legal = 0, illegal = 0, extrapolated = 0, gathered = 0, shared = 0, revisited = 0, moved = 0;
  const auto wanted = cases() * 15;
  for (std::uint64_t i = 0; legal < wanted && i < 100 * wanted; ++i) {
    auto of = check_cases::cnm_case(seed_of_tests() + i);
    Random random(seed_of_tests() + i);
    auto map = tests::random_map(of.kernel, random);
    map.collect.reset();
    if (!is_in_canonical_order(map)) continue;
    const auto exact = cnm::estimate_kernel(of.kernel, {map}, of.system, check_cases::no_library);
    std::optional<check::cnm::CnmProblem> problem;
    try {
      problem = check::cnm::read_problem(check_cases::result_json(of, nullptr, 0, "optimal", 0));
    } catch (const check::NotChecked&) {
      continue;  // no operand determines the extent of a dim
    }
    ASSERT_EQ(problem->kernel.extents, tuple_of(of.kernel.extents)) << "seed " << seed_of_tests() + i;
    const auto cost = check::cnm::cost_of(*problem, mapping_of(map));
    ASSERT_EQ(cost.has_value(), exact.refusal.empty()) << "seed " << seed_of_tests() + i << exact.refusal;
    if (!cost) {
      ++illegal;
      continue;
    }
    ++legal;
    const auto& estimate = exact.maps[0].estimate;
    const auto value = [](const check::cnm::Fraction& f) {
      return static_cast<double>(f.over) / static_cast<double>(f.under);
    };
    ASSERT_NEAR(value(cost->cycles), exact.cycles, 1e-9 * exact.cycles) << "seed " << seed_of_tests() + i;
    ASSERT_NEAR(value(cost->time), exact.time_ms * 1e9, 1e-9 * exact.time_ms * 1e9)
        << "seed " << seed_of_tests() + i;
    const auto program = check::cnm::program_of(*problem, mapping_of(map).form);
    ASSERT_TRUE(program.has_value());
    EXPECT_DOUBLE_EQ(value(program->bound), estimate.bounds.largest());
    extrapolated += estimate.k > 0 ? 1U : 0U;
    bool shares = false;
    for (std::size_t d = 0; d < of.kernel.dim_count(); ++d)
      shares |= of.kernel.reduction[d] && map.tuples[2][d] > 1;
    shared += shares ? 1U : 0U;
    moved += estimate.host.transfer_ms > 0 ? 1U : 0U;
    const auto tiling = cnm::tile_operands(of.kernel, map, of.system);
    for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
      gathered += tiling.tiles[t].collected ? 1U : 0U;
      revisited += of.kernel.operands[t].output && tiling.tiles[t].read_first ? 1U : 0U;
    }
  }
  EXPECT_GE(legal, wanted);
  for (const auto covered : {illegal, extrapolated, gathered, shared, revisited, moved})
    EXPECT_GE(covered, wanted / 100);
  std::printf(
      "%llu legal, %llu not; extrapolated %llu, gathered %llu, sums shared %llu, revisited %llu, moved "
      "%llu\n",
      static_cast<unsigned long long>(legal), static_cast<unsigned long long>(illegal),
      static_cast<unsigned long long>(extrapolated), static_cast<unsigned long long>(gathered),
      static_cast<unsigned long long>(shared), static_cast<unsigned long long>(revisited),
      static_cast<unsigned long long>(moved));
}

TEST(CnmModel, NonMembersHaveNoCost) {
  const CnmCase of{cnm::matrix_product("mv", 8, 1, 16, cnm::Type::i32), *io::read_cnm_system("upmem", {})};
  const auto problem = check::cnm::read_problem(check_cases::result_json(of, nullptr, 0, "optimal", 0));
  using check::cnm::KernelMapping;
  const KernelMapping whole{{1, 1}, {2, 1}, {{2, 1}, {2, 16}, {1, 16}, {0, 1}}};
  EXPECT_TRUE(check::cnm::cost_of(problem, whole).has_value());
  auto coarse = problem;
  coarse.machine.least_bytes = 4096;  // larger than any transfer
  EXPECT_FALSE(check::cnm::cost_of(coarse, whole).has_value());
  const auto is_none = [&](const auto& change) {
    auto mapping = whole;
    change(mapping);
    return !check::cnm::cost_of(problem, mapping).has_value();
  };
  EXPECT_TRUE(is_none([](KernelMapping& m) { m.form.local = {2, 32}; }));
  EXPECT_TRUE(is_none([](KernelMapping& m) { m.form.local[0] = 1; }));
  EXPECT_TRUE(is_none([](KernelMapping& m) { m.form.block = {1, 10}; }));
  EXPECT_TRUE(is_none([](KernelMapping& m) { m.form.order = {1, 1}; }));
  EXPECT_TRUE(is_none([](KernelMapping& m) {
    m.ranks = {1, 64};
    m.form.local = {2, 1};
  }));
}

// A kernel with two outputs. The first is reduced over tasklets, so the loops have no request for it. The
// second is small enough to be gathered, but only in groups of one step.
TEST(CnmModel, GathersSmallOutputsInGroupsOfOneStep) {
  CnmCase of{{}, *io::read_cnm_system("upmem", {})};
  cnm::Kernel& kernel = of.kernel;
  kernel.name = "both";
  kernel.extents = {10, 32};
  kernel.reduction = {false, true};
  const cnm::AffineExpr i{{1, 0}, 0}, j{{0, 1}, 0};
  kernel.operands = {{"a", cnm::Type::i8, {32}, {j}, false, false},
                     {"sum", cnm::Type::i8, {10}, {i}, true, true},
                     {"each", cnm::Type::i8, {32, 10}, {j, i}, true, false}};
  kernel.region = {{cnm::RegionStep::Kind::operation, cnm::Op::add, cnm::Type::i8, "addi", {0, 1}}};
  kernel.yields = {3, 3};
  cnm::CnmMap map;
  map.tuples = {{1, 1}, {1, 1}, {1, 2}, {10, 16}};
  const auto problem = check::cnm::read_problem(check_cases::result_json(of, nullptr, 0, "optimal", 0));
  std::size_t alone = 0;
  for (const Int rows : {1, 2, 5})
    for (const Int columns : {1, 2, 8})
      for (const auto& order : {std::vector<std::size_t>{0, 1}, {1, 0}}) {
        map.block = {rows, columns};
        map.order = order;
        const auto exact = cnm::estimate_kernel(kernel, {map}, of.system, check_cases::no_library);
        const auto cost = check::cnm::cost_of(problem, mapping_of(map));
        ASSERT_EQ(cost.has_value(), exact.refusal.empty()) << exact.refusal;
        if (!cost) continue;
        EXPECT_EQ(cost->cycles, check::cnm::Fraction(static_cast<Int>(exact.cycles)));
        const auto tiling = cnm::tile_operands(kernel, map, of.system);
        alone +=
            static_cast<std::size_t>(tiling.tiles[1].stays && tiling.tiles[2].collected && tiling.group == 1);
      }
  EXPECT_GT(alone, 1U);
}

// A case with all members of its mapping space, best first, and the search's result and proof.
struct Solved {
  CnmCase of;
  std::vector<cnm::RankedMap> members;
  cnm::MapResult result;
  Pieces pieces;
};
std::optional<Solved> solved(std::uint64_t seed) {
  Solved made{check_cases::cnm_case(seed), {}, {}, {}};
  const auto executor = make_executor(ExecutorKind::serial, 1);
  const cnm::Ranking ranking(made.of.kernel, made.of.system, check_cases::no_library, *executor, 1'000'000);
  for (std::size_t i = 0; i < ranking.size(); ++i) made.members.push_back(ranking[i]);
  if (made.members.empty()) return std::nullopt;
  cnm::MapRequest request;
  request.keep_proof = true;
  made.result = cnm::map_kernel(made.of.kernel, made.of.system, check_cases::no_library, request);
  made.pieces = report::proof_pieces(made.result.proof);
  return made;
}

// Returns a proof that lists all programs of the mapping space. With this proof, only the claim can be wrong.
Pieces all_pieces(const CnmCase& of) {
  constexpr double any_cost = 1e18;
  cnm::MapSpace space(of.kernel, of.system, check_cases::no_library, {cnm::SplitsKept::one_of_each});
  return report::proof_pieces(space.forms_within(any_cost));
}

TEST(CnmClaims, ProofsOfTheSearchAreAccepted) {
  std::uint64_t followed = 0, needed = 0, not_checked = 0;
  for (std::uint64_t i = 0; i < cases(); ++i) {
    const auto seed = seed_of_tests() + i;
    const auto made = solved(seed);
    if (!made) continue;
    const auto& [of, members, result, pieces] = *made;
    ASSERT_EQ(result.status, Status::optimal) << "seed " << seed;
    const auto claim =
        check_cases::result_json(of, &result.mapping[0], result.time_ms, "optimal", result.time_ms);
    const auto verdict = check_cases::verdict_on(of, claim, pieces);
    if (verdict.word == "not checked") {
      ++not_checked;
      continue;
    }
    ASSERT_EQ(verdict.word, "verified") << "seed " << seed << ": " << verdict.sentence;
    ++followed;

    // No proof supports a bound above the optimum.
    const double more = result.time_ms * 1.0001;
    const auto raised = check_cases::result_json(of, nullptr, 0, "work_limit", more);
    ASSERT_NE(check_cases::verdict_on(of, raised, all_pieces(of)).word, "verified") << "seed " << seed;
    // Claims a longer time for the best mapping.
    const auto wrong = check_cases::result_json(of, &result.mapping[0], more, "optimal", more);
    ASSERT_EQ(check_cases::verdict_on(of, wrong, pieces).word, "REFUTED") << "seed " << seed;
    // Changes the time of the mapping, but not that of the result; then changes only the lower bound.
    auto believed = claim;
    believed["maps"][0]["time_ms"] = more;
    ASSERT_EQ(check_cases::verdict_on(of, believed, pieces).word, "REFUTED") << "seed " << seed;
    auto low = claim;
    low["lower_bound_ms"] = result.time_ms * 0.9999;
    ASSERT_EQ(check_cases::verdict_on(of, low, pieces).word, "REFUTED") << "seed " << seed;
    // Claims another member as the best one.
    for (const std::size_t at : {members.size() / 2, members.size() - 1}) {
      const auto& other = members[at];
      if (other.time_ms <= more) continue;
      const auto worse = check_cases::result_json(of, &other.map, other.time_ms, "optimal", other.time_ms);
      ASSERT_EQ(check_cases::verdict_on(of, worse, all_pieces(of)).word, "not proved") << "seed " << seed;
    }

    // A proof that lacks a program, or states wrong cycles for it, does not prove claims that need the
    // program.
    for (std::size_t p = 0; p < std::min<std::size_t>(pieces.size(), 2); ++p)
      for (std::size_t f = 0; f < std::min<std::size_t>(pieces[p]["forms"].size(), 2); ++f) {
        auto fewer = pieces;
        fewer[p]["forms"].erase(f);
        const bool is_needed = check_cases::verdict_on(of, claim, fewer).word != "verified";
        needed += is_needed ? 1U : 0U;
        auto changed = pieces;
        changed[p]["forms"][f][2] = changed[p]["forms"][f][2].get<double>() + 1;
        ASSERT_EQ(check_cases::verdict_on(of, claim, changed).word != "verified", is_needed)
            << "seed " << seed;
      }
  }
  EXPECT_GE(followed, cases() / 2);
  EXPECT_GE(needed, cases() / 4);
  std::printf("%llu followed, %llu not checked, %llu programs needed\n",
              static_cast<unsigned long long>(followed), static_cast<unsigned long long>(not_checked),
              static_cast<unsigned long long>(needed));
}

TEST(CnmClaims, ListsWithMissingMappingsAreRefuted) {
  std::uint64_t followed = 0, missed = 0;
  for (std::uint64_t i = 0; i < cases(); ++i) {
    const auto seed = seed_of_tests() + i;
    const auto made = solved(seed);
    if (!made) continue;
    Random random(seed);
    const auto count = static_cast<std::size_t>(random.between(2, 12));
    std::vector<cnm::FormCycles> forms;
    const auto top =
        *cnm::rank_best(made->of.kernel, made->of.system, check_cases::no_library, count, {}, &forms);
    const auto& best = made->result;
    auto claim = check_cases::result_json(made->of, &best.mapping[0], best.time_ms, "optimal", best.time_ms);
    claim["top"] = Json::array();
    for (const auto& member : top) claim["top"].push_back(check_cases::map_entry(member.map, member.time_ms));
    const auto pieces = report::proof_pieces(forms);
    const auto verdict = check_cases::verdict_on(made->of, claim, pieces);
    if (verdict.word == "not checked") continue;
    ASSERT_EQ(verdict.word, "verified") << "seed " << seed << ": " << verdict.sentence;
    ++followed;
    if (top.size() < 3) continue;
    const auto left_out = random.below(top.size() - 1);
    auto fewer = claim;
    fewer["top"].erase(left_out);
    const bool is_false = top[left_out].time_ms < top.back().time_ms * (1 - 1e-6);
    if (!is_false) continue;
    ASSERT_NE(check_cases::verdict_on(made->of, fewer, pieces).word, "verified") << "seed " << seed;
    ++missed;
  }
  EXPECT_GE(followed, cases() / 2);
  EXPECT_GE(missed, cases() / 5);
}

// Changes a parameter of the system. The old mapping, with its new time, is claimed to be optimal. With all
// programs of the new problem, the claim is verified if and only if it is true. With the old proof, a false
// claim is never verified.
TEST(CnmClaims, OnlyTrueClaimsOfOtherProblemsAreVerified) {
  std::uint64_t changed_problems = 0, still_true = 0, no_longer = 0;
  for (std::uint64_t i = 0; i < 2 * cases(); ++i) {
    const auto seed = seed_of_tests() + i;
    const auto made = solved(seed);
    if (!made) continue;
    Random random(seed);
    auto other = made->of;
    switch (random.below(8)) {
      case 0:
        other.system.levels[0].size += 1;
        break;
      case 1:
        other.system.levels[1].size += 1;
        break;
      case 2:
        other.system.levels[2].size += random.chance(0.5) ? 1 : -1;
        break;
      case 3:
        other.system.wram.capacity = other.system.wram.capacity * 2;
        break;
      case 4:
        other.system.dma.read.setup /= 2;
        break;
      case 5:
        other.system.gap -= 1;
        break;
      case 6:
        other.system.host.launch_ms_per_tasklet = random.chance(0.5) ? 0 : 0.1;
        break;
      default:
        other.system.barrier[1] = 10;
        break;
    }
    if (other.system.levels[2].size < 1) continue;
    const auto executor = make_executor(ExecutorKind::serial, 1);
    const cnm::Ranking ranking(other.kernel, other.system, check_cases::no_library, *executor, 1'000'000);
    // The old mapping with its new time.
    const auto& map = made->result.mapping[0];
    const auto exact = cnm::estimate_kernel(other.kernel, {map}, other.system, check_cases::no_library);
    if (!exact.refusal.empty() || ranking.size() == 0) continue;
    const bool is_best = cnm::cost_of(exact.time_ms) <= ranking.cost_of(0);
    const auto claim = check_cases::result_json(other, &map, exact.time_ms, "optimal", exact.time_ms);
    const auto verdict = check_cases::verdict_on(other, claim, all_pieces(other));
    if (verdict.word == "not checked") continue;
    ++changed_problems;
    (is_best ? still_true : no_longer) += 1;
    ASSERT_EQ(verdict.word == "verified", is_best) << "seed " << seed << ": " << verdict.sentence;
    if (!is_best) {
      ASSERT_NE(check_cases::verdict_on(other, claim, made->pieces).word, "verified") << "seed " << seed;
    }
  }
  EXPECT_GE(changed_problems, cases() / 2);
  EXPECT_GE(still_true, cases() / 10);
  EXPECT_GE(no_longer, cases() / 10);
}

}  // namespace
}  // namespace nestor::cnm_claims_test
