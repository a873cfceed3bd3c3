// Tests of the exact method and of the bounds on copies. Optima are compared with those of
// simd_brute_force.h, an independent breadth-first search on explicit machines, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "heuristics/simd_brute_force.h"
#include "heuristics/simd_cases.h"
#include "heuristics/simd_searched.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/delivery.h"
#include "model/simd/xmg_builder.h"
#include "report/simd/schedule_contract.h"

// The nightly build of this test runs 2,000 netlists; at least 500 are required.
#ifndef NESTOR_EXACT_CASES
#define NESTOR_EXACT_CASES 60
#endif

namespace nestor::simd::simd_exact_test {
namespace {

ScheduleResult exact(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays) {
  ScheduleRequest request;
  request.method = ScheduleMethod::exact;
  request.rows = rows;
  request.array_limit = arrays;
  request.time_limit = 1000;
  request.threads = 1;
  if (auto result = make_schedule(netlist, request)) return std::move(*result);
  ScheduleResult none;
  none.copies = ~0U;
  return none;
}

void expect_brute_force_copies(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays,
                               std::optional<std::uint32_t> brute) {
  // Limits of the backward search (`needs`) and of the bound on loads (`cases`). The limit 0 disables the
  // search or the bound, a small limit is soon exceeded, and a large limit is ample.
  struct Aids {
    std::size_t needs, cases;
  };
  for (const Aids aids : {Aids{0, 0}, {60, 0}, {1'000'000, 0}, {0, 1'000'000}, {0, 2000}, {60, 1'000'000}}) {
    SCOPED_TRACE(aids.needs);
    SCOPED_TRACE(aids.cases);
    const auto find = [&](std::uint32_t below) {
      return searched(netlist, rows, arrays, below, aids.needs, nullptr, aids.cases);
    };
    EXPECT_EQ(find(30), brute);
    if (!brute) continue;
    EXPECT_EQ(find(*brute + 1), brute);
    EXPECT_EQ(find(*brute), std::nullopt);
  }
  const ScheduleResult result = exact(netlist, rows, arrays);
  ASSERT_EQ(result.copies, brute.value_or(~0U));
  if (!brute) return;
  EXPECT_EQ(result.status, Status::optimal);
  const auto contract = report::contract_of(result.schedule, netlist, netlist);
  ASSERT_EQ(contract.fault, "");
  EXPECT_EQ(contract.figures["copies"], *brute);
}

TEST(Exact, EqualsBruteForceOnRandomNetlists) {
  // alike: two arrays are initially empty. starved: some gates read only constants.
  int compared = 0, with_copies = 0, infeasible = 0, alike = 0, starved = 0;
  for (std::uint64_t seed = 0; compared < NESTOR_EXACT_CASES; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_LT(seed, 4000U);
    nestor::Random random(seed);
    auto netlist = bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 6)),
                                              .count = static_cast<std::uint32_t>(random.between(2, 9)),
                                              .seed = seed});
    ASSERT_TRUE(netlist.ok());
    const bool overflows = seed % 4 == 0, starves = seed % 3 == 0;
    if (overflows) make_all_outputs(*netlist);
    if (starves) starve(*netlist, 1 + seed % 2);
    const auto rows = overflows ? 4 : static_cast<std::uint32_t>(random.between(4, 6));
    // With more gates, brute force on three arrays of five rows takes seconds.
    const std::uint32_t arrays = seed % 2 == 0 && rows <= 5 && netlist->gates.size() <= 6 ? 3 : 2;
    if (netlist->input_names.size() > std::size_t{rows} * arrays) continue;
    const auto brute = BruteForce(*netlist, rows, arrays).copies();
    expect_brute_force_copies(*netlist, rows, arrays, brute);
    if (HasFatalFailure()) return;
    ++compared;
    infeasible += brute ? 0 : 1;
    with_copies += brute && *brute > 0 ? 1 : 0;
    alike += brute && *brute > 1 && netlist->input_names.size() <= rows && arrays == 3 ? 1 : 0;
    starved += brute && starves ? 1 : 0;
  }
  RecordProperty("with_copies", with_copies);
  RecordProperty("without_schedule", infeasible);
  RecordProperty("with_arrays_alike", alike);
  RecordProperty("with_gates_that_read_constants", starved);
  EXPECT_GT(with_copies, NESTOR_EXACT_CASES / 4);
  EXPECT_GT(infeasible, NESTOR_EXACT_CASES / 60);
  EXPECT_GT(alike, NESTOR_EXACT_CASES / 60);
  EXPECT_GT(starved, NESTOR_EXACT_CASES / 6);
}

/// Regression cases: two netlists for which a rule of the search gave a wrong result.
TEST(Exact, EqualsBruteForceOnRegressionCases) {
  for (const std::uint64_t seed : {404U, 475U}) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed);
    const auto netlist = bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 5)),
                                                    .count = static_cast<std::uint32_t>(random.between(2, 9)),
                                                    .seed = seed});
    ASSERT_TRUE(netlist.ok());
    const auto rows = static_cast<std::uint32_t>(random.between(4, 6));
    expect_brute_force_copies(*netlist, rows, 2, BruteForce(*netlist, rows, 2).copies());
  }
}

/// The backward search and the bound on loads change no optimum, on netlists that are too large for brute
/// force, with any number of arrays and few rows.
TEST(Exact, BackwardSearchAndLoadBoundChangeNoOptimum) {
  constexpr int cases = std::min(NESTOR_EXACT_CASES, 500);  // without these aids, a netlist takes 0.5 s
  SearchCounts without, with, with_loads;
  int compared = 0, costly = 0;
  for (std::uint64_t seed = 0; compared < cases; ++seed) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed + 5000);
    auto netlist = bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 7)),
                                              .count = static_cast<std::uint32_t>(random.between(6, 9)),
                                              .seed = seed});
    ASSERT_TRUE(netlist.ok());
    if (seed % 5 == 0) make_all_outputs(*netlist);
    if (seed % 7 == 0) starve(*netlist, 4);
    const auto rows = static_cast<std::uint32_t>(random.between(4, 6));
    constexpr std::uint32_t below = 7;
    if (!ExactBranch::make(ScheduleProblem(*netlist, rows, 0), below)) continue;
    ++compared;
    SearchCounts counts;
    const auto expected = searched(*netlist, rows, 0, below, 0, &counts);
    without.add(counts);
    costly += expected.value_or(below) > 2 ? 1 : 0;
    for (const std::size_t needs : {200U, 5'000U, 300'000U})
      EXPECT_EQ(searched(*netlist, rows, 0, below, needs, &counts), expected) << needs;
    with.add(counts);
    for (const std::size_t needs : {0U, 5'000U})
      EXPECT_EQ(searched(*netlist, rows, 0, below, needs, &counts, 4'000'000), expected) << needs;
    with_loads.add(counts);
  }
  RecordProperty("of_three_copies_or_more", costly);
  RecordProperty("labels", static_cast<int>(with.expanded));
  RecordProperty("labels_with_loads", static_cast<int>(with_loads.expanded));
  RecordProperty("labels_without", static_cast<int>(without.expanded));
  EXPECT_GT(costly, cases / 4);
  EXPECT_LT(with.expanded * 3, without.expanded);
  EXPECT_LT(with_loads.expanded * 5, without.expanded);
}

TEST(Bounds, AreNeverAboveBruteForceWhereOutputsOverflow) {
  int above_one = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto netlist = all_outputs(seed);
    ASSERT_TRUE(netlist);
    if (netlist->gates.size() > 6) continue;  // brute force would take seconds
    const auto rows = static_cast<std::uint32_t>(netlist->input_names.size() + 1 + seed % 2);
    const LowerBound bound = lower_bound(ScheduleProblem(*netlist, rows, 2), false, BoundEffort::thorough);
    above_one += bound.copies > 1 ? 1 : 0;
    if (const auto brute = BruteForce(*netlist, rows, 2).copies()) {
      EXPECT_LE(bound.copies, *brute);
    }
  }
  EXPECT_GT(above_one, 5);
}

/// Returns the fewest copies with which the initially empty arrays provide at least `outputs` outputs
/// (model/simd/delivery.h). Enumerates the sets of gates that these arrays may compute, and counts copies of
/// values that a set reads, of values that other gates read from the set, and of missing outputs.
std::uint32_t fewest_copies_of_any_split(const ScheduleProblem& problem, std::uint32_t outputs) {
  std::uint32_t fewest = problem.value_count();
  for (std::uint32_t apart = 0; apart < 1U << problem.gate_count(); ++apart) {
    const auto in = [&](std::uint32_t gate) { return (apart >> gate & 1U) != 0; };
    std::uint32_t copies = 0, there = 0;
    for (Value value = 0; value < problem.value_count(); ++value) {
      const bool made = !problem.is_input(value) && in(problem.gate_of(value));
      bool read_there = false, read_here = false;
      for (const std::uint32_t gate : problem.readers(value)) (in(gate) ? read_there : read_here) = true;
      copies += (made ? read_here : read_there) ? 1 : 0;
      if (problem.must_stay(value) && (made || read_there)) ++there;
    }
    fewest = std::min(fewest, copies + (outputs > there ? outputs - there : 0));
  }
  return fewest;
}

/// Returns the same number for schedules that may compute gates again. Enumerates the sets of delivered
/// values, and the values that gates can compute from each set.
std::uint32_t fewest_delivered(const ScheduleProblem& problem, std::uint32_t outputs) {
  int fewest = static_cast<int>(problem.value_count());
  for (std::uint32_t subset = 0; subset < 1U << problem.value_count(); ++subset) {
    std::uint32_t closure = subset, there = 0;
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {  // gates are in topological order
      const Fanins& fanins = problem.fanins(gate);
      if (std::all_of(fanins.begin(), fanins.end(),
                      [&](Value value) { return value == no_value || (closure >> value & 1U) != 0; }))
        closure |= 1U << problem.value_of_gate(gate);
      there += closure >> problem.value_of_gate(gate) & 1U;
    }
    if (there >= outputs) fewest = std::min(fewest, std::popcount(subset));
  }
  return static_cast<std::uint32_t>(fewest);
}

TEST(Delivery, FewestCopiesEqualTheMinimumOverAllSplits) {
  constexpr std::uint64_t enough = 100'000'000;
  int differ = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto netlist = all_outputs(seed);
    ASSERT_TRUE(netlist);
    const ScheduleProblem problem(*netlist, 64, 0);
    for (std::uint32_t count = 0; count <= problem.gate_count(); ++count) {
      SCOPED_TRACE(count);
      const std::uint32_t once = DeliverySearch(problem, true).fewest(count, enough);
      const std::uint32_t again = DeliverySearch(problem, false).fewest(count, enough);
      EXPECT_EQ(once, fewest_copies_of_any_split(problem, count));
      EXPECT_EQ(again, fewest_delivered(problem, count));
      differ += once > again ? 1 : 0;
    }
  }
  EXPECT_GT(differ, 10);
}

TEST(Exact, ClaimsNoOptimumWhereGatesMayBeComputedAgain) {
  XmgBuilder builder("tight");
  std::array<Signal, 4> in{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = builder.input("x" + std::to_string(i));
  const Signal sum = builder.xor3(in[0], in[1], in[2]), carry = builder.maj3(in[0], in[1], in[2]);
  builder.output("y", builder.xor3(sum, carry, in[3]));
  const Netlist netlist = builder.finish();
  ScheduleRequest request;
  request.method = ScheduleMethod::exact;
  request.rows = 5;  // one free row, but two values are needed at the same time
  for (const bool recompute : {false, true}) {
    request.recompute = recompute;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    EXPECT_GT(result->copies, 0U);
    EXPECT_TRUE(result->completed || result->status == Status::optimal);
    EXPECT_EQ(result->status == Status::optimal, !recompute);
    EXPECT_EQ(result->bound.copies, recompute ? 0 : result->copies);
  }
}

Netlist decoder(std::uint32_t bits) {
  XmgBuilder builder("decoder");
  std::vector<Signal> inputs;
  inputs.reserve(bits);
  for (std::uint32_t i = 0; i < bits; ++i) inputs.push_back(builder.input("x" + std::to_string(i)));
  std::vector<Signal> outputs{!inputs[0], inputs[0]};
  for (std::uint32_t i = 1; i < bits; ++i) {
    const Signal bit = inputs[i];
    std::vector<Signal> next;
    for (const Signal signal : outputs) {
      next.push_back(builder.and2(signal, !bit));
      next.push_back(builder.and2(signal, bit));
    }
    outputs = next;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) builder.output("y" + std::to_string(i), outputs[i]);
  return builder.finish();
}

TEST(Exact, ProvesSmallArithmeticOnTightArrays) {
  const auto multiplier = bench::generate("multiplier", {.width = 2});
  ASSERT_TRUE(multiplier.ok());
  const auto adder = bench::generate("adder", {.width = 4});
  ASSERT_TRUE(adder.ok());
  const auto prove = [](const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays) {
    const ScheduleResult result = exact(netlist, rows, arrays);
    EXPECT_EQ(result.status, Status::optimal)
        << netlist.name << " " << result.copies << " >= " << result.bound.copies;
    RecordProperty(netlist.name + std::to_string(rows), static_cast<int>(result.copies));
    return result.copies;
  };
  EXPECT_EQ(prove(*multiplier, 64, 0), 0U);
  for (const std::uint32_t rows : {4U, 5U, 6U}) EXPECT_GT(prove(*multiplier, rows, 0), 0U);
  EXPECT_EQ(prove(*adder, 8, 0), 8U);  // inputs fill the array, and each input must be copied out
  EXPECT_GT(prove(*adder, 10, 0), 0U);
  for (const std::uint32_t rows : {5U, 6U, 8U}) EXPECT_GT(prove(decoder(3), rows, 0), 0U);
}

/// A decoder of eight bits that decodes halves and combines them, like the benchmark `dec`.
TEST(Bounds, ADecoderOf256OutputsNeedsSixCopiesOnArraysOf256Rows) {
  XmgBuilder builder("dec");
  std::vector<Signal> bits;
  bits.reserve(8);
  for (int bit = 0; bit < 8; ++bit) bits.push_back(builder.input("x" + std::to_string(bit)));
  std::vector<std::vector<Signal>> parts;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const Signal low = bits[2 * pair], high = bits[2 * pair + 1];
    parts.push_back({builder.and2(!high, !low), builder.and2(!high, low), builder.and2(high, !low),
                     builder.and2(high, low)});
  }
  while (parts.size() > 1) {
    std::vector<std::vector<Signal>> wider;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      wider.emplace_back();
      for (const Signal high : parts[i])
        for (const Signal low : parts[i + 1]) wider.back().push_back(builder.and2(high, low));
    }
    parts = wider;
  }
  for (std::size_t i = 0; i < parts[0].size(); ++i) builder.output("y" + std::to_string(i), parts[0][i]);
  const Netlist netlist = builder.finish();
  ASSERT_EQ(netlist.gates.size(), 304U);
  EXPECT_EQ(lower_bound(ScheduleProblem(netlist, 256, 0), false, BoundEffort::thorough).copies, 6U);
  EXPECT_EQ(lower_bound(ScheduleProblem(netlist, 256, 0), true, BoundEffort::thorough).copies, 5U);
}

}  // namespace
}  // namespace nestor::simd::simd_exact_test
