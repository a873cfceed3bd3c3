// Tests of the simulation of netlists in blocks of words. Each word is an independent simulation, and the
// verifier detects a difference in a single pattern.
#include "model/simd/second_reading/simulate.h"

#include <gtest/gtest.h>

#include "bench/netlists/generate.h"
#include "model/simd/second_reading/verify_schedule.h"
#include "support/spread_schedule.h"

namespace nestor::simd::simulate_test {
namespace {

TEST(Simulate, SimulatesEveryWordOfABlockIndependently) {
  Random random(20261123);
  std::uint64_t compared = 0;
  for (const auto& generator : bench::generators()) {
    auto netlist = bench::generate(generator.name, {});
    ASSERT_TRUE(netlist.ok());
    for (auto& gate : netlist->gates)
      for (auto& fanin : gate.fanin)
        if ((random.next() & 1U) != 0) fanin = !fanin;
    const auto input_count = netlist->input_names.size();
    std::vector<WordBlock> inputs(input_count), values, outputs;
    for (auto& block : inputs)
      for (auto& word : block.word) word = random.next();
    simulate(*netlist, inputs, values, outputs);
    std::vector<std::uint64_t> words(input_count), scratch;
    for (std::size_t word = 0; word < words_at_once; ++word) {
      for (std::size_t i = 0; i < input_count; ++i) words[i] = inputs[i].word[word];
      const auto expected = simulate(*netlist, words, scratch);
      ASSERT_EQ(outputs.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(outputs[i].word[word], expected[i]) << generator.name << " output " << i;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10'000U);
}

// Returns a netlist whose output is true for exactly one combination of the inputs.
Netlist one_of(std::uint32_t combination, std::uint32_t inputs) {
  Netlist netlist;
  for (std::uint32_t i = 0; i < inputs; ++i) netlist.input_names.push_back("i" + std::to_string(i));
  Signal all(0, true);
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const bool is_one = ((combination >> i) & 1U) != 0;
    netlist.gates.push_back({GateKind::maj3, {all, Signal(i + 1, !is_one), Signal()}});
    netlist.gate_names.push_back("n" + std::to_string(i));
    all = Signal(netlist.node_count() - 1, false);
  }
  netlist.outputs.push_back({"found", all});
  return netlist;
}

TEST(Simulate, DetectsADifferenceInOnePattern) {
  constexpr std::uint32_t inputs = 12;
  for (std::uint32_t combination = 0; combination < 1U << inputs; combination += 13) {
    const auto netlist = one_of(combination, inputs);
    auto never = netlist;
    never.outputs[0].signal = Signal();
    const auto schedule = tests::spread_schedule(netlist, 64);
    ASSERT_FALSE(verify_schedule(netlist, netlist, schedule).fault) << combination;
    const auto verdict = verify_schedule(netlist, never, schedule);
    ASSERT_TRUE(verdict.fault) << combination;
    EXPECT_EQ(verdict.fault->message, "output 'found' differs from the source netlist");
  }
}

}  // namespace
}  // namespace nestor::simd::simulate_test
