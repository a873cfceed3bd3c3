// Tests of the bounds on the loads of arrays against brute force, from random states that schedules reach.
#include <gtest/gtest.h>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "heuristics/simd_brute_force.h"
#include "model/simd/search/load_bound.h"

#ifndef NESTOR_EXACT_CASES
#define NESTOR_EXACT_CASES 60
#endif

namespace nestor::simd::simd_load_bound_test {
namespace {

/// Returns the values in each array, except inputs in their home arrays.
MachineSets::Contents contents_of(const BruteForce::State& state, const Netlist& netlist,
                                  const MachineSets& machine, std::uint32_t rows) {
  MachineSets::Contents held{};
  for (std::size_t array = 0; array < machine.arrays; ++array)
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint32_t node = state.cells[array * rows + row];
      if (node == 0) continue;
      const bool is_input = node < netlist.first_gate();
      held[array] |= MachineSets::bit(is_input ? node - 1 : machine.inputs + node - netlist.first_gate());
    }
  for (std::size_t array = 0; array < machine.arrays; ++array) held[array] &= ~machine.home[array];
  return held;
}

TEST(LoadBound, NeverExceedsTheCopiesThatAStateNeeds) {
  constexpr int states = 2 * NESTOR_EXACT_CASES, of_each = 4;
  int compared = 0, equal = 0, costly = 0, two_homes = 0;
  for (std::uint64_t seed = 0; compared < states; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_LT(seed, 40'000U);
    nestor::Random random(seed + 9000);
    auto netlist = bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 6)),
                                              .count = static_cast<std::uint32_t>(random.between(2, 9)),
                                              .seed = seed});
    ASSERT_TRUE(netlist.ok());
    if (seed % 3 == 0)
      for (std::uint32_t gate = 0; gate < netlist->gates.size(); ++gate)
        netlist->outputs.push_back({"z" + std::to_string(gate), Signal(netlist->first_gate() + gate, false)});
    const auto rows = static_cast<std::uint32_t>(random.between(4, 5));
    const std::uint32_t arrays = 3;
    const ScheduleProblem problem(*netlist, rows, arrays);
    if (problem.home_arrays() >= arrays || netlist->gates.size() > 11 - rows) continue;
    MachineSets machine(problem);
    machine.set_arrays(problem, arrays);
    auto bound = LoadBound::make(machine, 1'000'000);
    ASSERT_TRUE(bound);
    BruteForce brute(*netlist, rows, arrays);
    for (int i = 0; i < of_each; ++i) {
      const auto state = i == 0 ? brute.start() : brute.random_state(random, random.between(1, 12));
      const auto needed = brute.copies_from(state);
      if (!needed) continue;
      const auto computed = ValueSet{state.computed} << machine.inputs;
      const auto held = contents_of(state, *netlist, machine, rows);
      const std::uint32_t least = bound->at_least(computed, held, 50);
      EXPECT_LE(least, *needed);
      for (const std::uint32_t enough : {0U, 1U, 2U, 4U})
        EXPECT_EQ(std::min(bound->at_least(computed, held, enough), enough), std::min(least, enough));
      ++compared;
      equal += *needed > 0 && least == *needed ? 1 : 0;
      costly += *needed > 2 ? 1 : 0;
      two_homes += problem.home_arrays() > 1 ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  RecordProperty("states", compared);
  RecordProperty("equal_and_not_0", equal);
  RecordProperty("of_three_copies_or_more", costly);
  RecordProperty("with_two_arrays_of_inputs", two_homes);
  EXPECT_GT(equal, states / 5);
  EXPECT_GT(costly, states / 10);
  EXPECT_GT(two_homes, states / 20);
}

TEST(LoadBound, IsUnavailableIfWorkIsLimitedOrStopped) {
  const auto netlist = bench::generate("random", {.width = 4, .count = 9, .seed = 3});
  ASSERT_TRUE(netlist.ok());
  const ScheduleProblem problem(*netlist, 4, 0);
  MachineSets machine(problem);
  machine.set_arrays(problem, 3);
  EXPECT_FALSE(LoadBound::make(machine, 20));
  EXPECT_FALSE(LoadBound::make(machine, 1'000'000, [] { return true; }));
  EXPECT_TRUE(LoadBound::make(machine, 1'000'000));
}

}  // namespace
}  // namespace nestor::simd::simd_load_bound_test
