// Tests of the baseline methods of the cim space. Their mappings are legal by the rules of
// check/cim/contract and obey the rules of their method. Larger budgets and larger sets of choices give
// no worse mappings.
#include <gtest/gtest.h>

#include "heuristics/cim/baselines/ordered.h"
#include "heuristics/cim/baselines/sampled.h"
#include "heuristics/cim/baselines/stationary.h"
#include "support/cim_contract.h"
#include "support/random_cases.h"

namespace nestor::baselines::baselines_test {
namespace {

using cim::LatencyModel;
using nestor::tests::random_case;

/// The layer and the machine of most of these tests: a convolution, and a machine with DRAM, a shared buffer
/// and one small memory for each operand.
LayerShape convolution() {
  LayerShape layer;
  layer.bounds = {1, 32, 16, 14, 14, 3, 3, 1};
  return layer;
}

NamedArchitecture machine() {
  NamedArchitecture result;
  const auto add = [&](const char* name, OperandSet operands, Int capacity, Int bandwidth,
                       std::uint8_t axes_above) {
    Memory memory{.operands = operands};
    memory.capacity = capacity;
    memory.bandwidth = bandwidth;
    memory.double_buffer = capacity != unlimited_capacity && !operands.contains(Operand::W);
    memory.axes_above = axes_above;
    result.machine.memories.push_back(memory);
    result.memory_names.emplace_back(name);
  };
  const OperandSet all = OperandSet::of(Operand::I, Operand::W, Operand::O);
  add("dram", all, unlimited_capacity, 64, 0);
  add("buffer", all, 1 << 17, 128, 0);
  add("ireg", OperandSet::of(Operand::I), 2048, 256, 0);
  add("oreg", OperandSet::of(Operand::O), 4096, 256, 0);
  add("macro", OperandSet::of(Operand::W), 16 * 16 * 8, 64, 0);
  result.machine.axes.push_back({.size = 16, .dims = DimSet::of(Dim::C, Dim::R, Dim::S)});
  result.machine.axes.push_back({.size = 16, .dims = DimSet::of(Dim::K)});
  result.axis_names = {"row", "column"};
  result.machine.mvm_cycles = 8;
  return result;
}

TEST(Baselines, KeepTheirOperandInPlace) {
  const NamedArchitecture named = machine();
  const LayerShape layer = convolution();
  for (const LatencyModel model : {LatencyModel::miredo, LatencyModel::stall})
    for (const Operand stays : all_operands) {
      const auto placed = stationary(layer, named.machine, stays, model);
      ASSERT_TRUE(placed) << letter(stays);
      const auto contract = tests::StatedMapping(layer, named, placed->mapping).contract();
      ASSERT_EQ(contract.faults, std::vector<std::string>{});
      const auto& figures = contract.figures;
      EXPECT_EQ(figures[model == LatencyModel::stall ? "stall_cycles" : "latency_cycles"],
                static_cast<Int>(placed->cost));
      // No loop that reuses the operand is outside the operand's innermost memory.
      for (const Loop& loop : placed->mapping.loops)
        EXPECT_TRUE(layer.is_relevant(loop.dim, stays) ||
                    loop.at[index_of(stays)] == named.machine.innermost(stays))
            << letter(stays);
      // Every element is therefore transferred from its home memory once. Outputs are written once, as final
      // sums.
      const auto moved = figures["traffic_bits"][named.memory_names[0] + "/" + letter(stays)];
      if (stays == Operand::W) {
        EXPECT_EQ(moved["read"], Int{32 * 16 * 9 * 8});
      }
      if (stays == Operand::O) {
        EXPECT_EQ(moved["write"], Int{32 * 14 * 14 * 8});
        EXPECT_EQ(moved["read"], 0);
      }
      // All lanes of the array are used.
      Int lanes = 1;
      for (const Extents& axis : placed->mapping.spatial)
        for (const Int factor : axis) lanes *= factor;
      EXPECT_EQ(lanes, 256);
    }
}

TEST(Baselines, AreLegalOnRandomMachines) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto random = random_case(seed, {.max_steps = 300, .max_loops = 5});
    const Architecture& target = random.architecture.machine;
    const auto expect_legal = [&](const std::optional<Placed>& placed) {
      if (!placed) return;
      ++found;
      EXPECT_EQ(tests::StatedMapping(random.layer, random.architecture, placed->mapping).contract().faults,
                std::vector<std::string>{})
          << random.describe();
    };
    for (const Operand stays : all_operands)
      expect_legal(stationary(random.layer, target, stays, LatencyModel::stall));
    expect_legal(best_order(random.layer, target, cycles_of(LatencyModel::stall)));
    expect_legal(
        sampled(random.layer, target, cycles_of(LatencyModel::stall), {.seed = seed, .evaluations = 50}));
  }
  EXPECT_GT(found, 160);
}

// The axes process K and C completely, so only P remains as a loop. The only choice is the memory of each
// operand's tile.
TEST(Baselines, OrderedLoopsAreAllocatedFromTheInsideOut) {
  const NamedArchitecture named = machine();
  LayerShape layer;
  layer.bounds = {1, 16, 16, 8, 1, 1, 1, 1};
  const auto placed = best_order(layer, named.machine, cycles_of(LatencyModel::stall));
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->cost,
            cycles_of(LatencyModel::stall)(cim::evaluate(layer, named.machine, placed->mapping)));
  EXPECT_EQ(placed->mapping.spatial[0][index_of(Dim::C)], 16);
  EXPECT_EQ(placed->mapping.spatial[1][index_of(Dim::K)], 16);
  for (const Loop& loop : placed->mapping.loops) {
    EXPECT_EQ(loop.dim, Dim::P);
    EXPECT_EQ(loop.at[index_of(Operand::W)], named.machine.innermost(Operand::W)) << "weights fit";
  }
}

// More spatial choices give no worse mapping. Under a given cost, the mapping chosen for this cost is no
// worse than the mapping chosen for another cost.
TEST(Baselines, OrderedLoopsImproveWithTheirChoicesAndFollowTheObjective) {
  const LayerShape layer = convolution();
  NamedArchitecture named = machine();
  named.machine.memories[0].read_energy = named.machine.memories[0].write_energy = 4;
  named.machine.memories[1].read_energy = named.machine.memories[1].write_energy = 1;
  const CostOf cycles = cycles_of(LatencyModel::stall);
  const CostOf energy = [](const cim::CimEvaluation& evaluation) { return evaluation.energy_pj; };
  double before = 0;
  for (const std::size_t choices : {1U, 3U}) {
    const auto fast = best_order(layer, named.machine, cycles, {.spatial_choices = choices, .loops = 4});
    const auto least = best_order(layer, named.machine, energy, {.spatial_choices = choices, .loops = 4});
    ASSERT_TRUE(fast && least);
    EXPECT_LE(least->cost, energy(cim::evaluate(layer, named.machine, fast->mapping)));
    EXPECT_LE(fast->cost, cycles(cim::evaluate(layer, named.machine, least->mapping)));
    if (before > 0) {
      EXPECT_LE(fast->cost, before);
    }
    before = fast->cost;
  }
}

TEST(Baselines, SamplingImprovesWithItsBudgetAndRepeatsWithItsSeed) {
  const NamedArchitecture named = machine();
  const LayerShape layer = convolution();
  double before = 0;
  for (const int evaluations : {20, 200, 1500}) {
    const SampleBudget budget{.seed = 5, .evaluations = evaluations};
    const auto placed = sampled(layer, named.machine, cycles_of(LatencyModel::stall), budget);
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->mapping,
              sampled(layer, named.machine, cycles_of(LatencyModel::stall), budget)->mapping);
    if (before > 0) {
      EXPECT_LE(placed->cost, before);
    }
    before = placed->cost;
  }
}

// Sampling for energy returns a mapping with less energy than sampling for cycles.
TEST(Baselines, SamplingFollowsTheObjective) {
  NamedArchitecture named = machine();
  named.machine.memories[0].read_energy = named.machine.memories[0].write_energy = 4;
  named.machine.memories[1].read_energy = named.machine.memories[1].write_energy = 1;
  const LayerShape layer = convolution();
  const CostOf cycles = cycles_of(LatencyModel::stall);
  const CostOf energy = [](const cim::CimEvaluation& evaluation) { return evaluation.energy_pj; };
  const SampleBudget budget{.seed = 5, .evaluations = 1500};
  const auto fast = sampled(layer, named.machine, cycles, budget);
  const auto least = sampled(layer, named.machine, energy, budget);
  ASSERT_TRUE(fast && least);
  EXPECT_EQ(least->cost, energy(cim::evaluate(layer, named.machine, least->mapping)));
  EXPECT_LT(least->cost, energy(cim::evaluate(layer, named.machine, fast->mapping)));
}

}  // namespace
}  // namespace nestor::baselines::baselines_test
