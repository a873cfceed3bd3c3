// Tests of the replay of huge and of invalid mappings. Huge mappings take little time or stop at a limit, and
// invalid mappings are refused.
#include <gtest/gtest.h>

#include "sim/cim/replay.h"
#include "sim/cim/timeline.h"

namespace nestor::sim::cim::replay_limits_test {
namespace {

/// Returns a machine with DRAM and one buffer for all operands, and an innermost memory for each operand. All
/// memories may be double-buffered.
Architecture small_machine() {
  Architecture machine;
  const auto add = [&](OperandSet operands, Int bandwidth) {
    Memory memory{.operands = operands};
    memory.bandwidth = bandwidth;
    memory.double_buffer = true;
    machine.memories.push_back(memory);
  };
  add(OperandSet::of(Operand::I, Operand::W, Operand::O), 7);
  add(OperandSet::of(Operand::I, Operand::W, Operand::O), 5);
  for (const Operand operand : all_operands) add(OperandSet::of(operand), 3);
  machine.mvm_cycles = 8;
  return machine;
}

/// Returns a mapping with `count` loops of `factor` iterations, and multiplies the layer's bounds
/// accordingly. Each loop changes tiles of some operand.
Mapping deep_nest(std::size_t count, Int factor, LayerShape& layer) {
  Mapping mapping;
  constexpr std::array<Dim, 4> dims = {Dim::C, Dim::K, Dim::P, Dim::Q};
  for (std::size_t i = 0; i < count; ++i) {
    const Dim dim = dims[i % dims.size()];
    const auto outer = static_cast<std::uint8_t>(2 * i < count ? 0 : 1);
    mapping.loops.push_back({.dim = dim, .factor = factor, .at = {outer, outer, outer}});
    layer.bounds[index_of(dim)] *= factor;
  }
  for (const Operand operand : all_operands) mapping.double_buffered[1].insert(operand);
  return mapping;
}

TEST(ReplayLimits, SkipsMostOfAQuadrillionSteps) {
  const Architecture machine = small_machine();
  LayerShape short_loops;
  const Mapping nest = deep_nest(50, 2, short_loops);  // 2^50 steps in loops of two iterations
  const auto result = replay(short_loops, machine, nest);
  ASSERT_EQ(result.status, ReplayStatus::complete);
  EXPECT_EQ(result.steps, Int{1} << 50);
  EXPECT_LT(result.steps_simulated, 100'000);

  LayerShape long_loops;
  const Mapping four = deep_nest(4, 5623, long_loops);
  const auto other = replay(long_loops, machine, four);
  ASSERT_EQ(other.status, ReplayStatus::complete);
  EXPECT_GT(other.steps, 999'000'000'000'000);
  EXPECT_LT(other.steps_simulated, 1'000'000);
}

TEST(ReplayLimits, AStepLimitStopsThePlainReplay) {
  LayerShape layer;
  const Mapping nest = deep_nest(40, 2, layer);
  const auto result = replay(layer, small_machine(), nest, {.plain = true, .step_limit = 100'000});
  EXPECT_EQ(result.status, ReplayStatus::step_limit);
  EXPECT_LE(result.steps_simulated, 100'001);
}

TEST(ReplayLimits, RefusesTimesBeyond64Bits) {
  LayerShape layer;
  const Mapping nest = deep_nest(62, 2, layer);
  EXPECT_EQ(replay(layer, small_machine(), nest).status, ReplayStatus::too_long);
  LayerShape endless;
  const Mapping far = deep_nest(4, Int{1} << 40, endless);
  EXPECT_EQ(replay(endless, small_machine(), far).status, ReplayStatus::too_long);
}

TEST(ReplayLimits, RefusesInvalidMappings) {
  const Architecture machine = small_machine();
  LayerShape layer;
  const Mapping good = deep_nest(4, 3, layer);
  ASSERT_EQ(replay(layer, machine, good).status, ReplayStatus::complete);

  const auto refuses = [&](auto&& corrupt) {
    Mapping bad = good;
    corrupt(bad);
    return replay(layer, machine, bad).status == ReplayStatus::malformed;
  };
  EXPECT_TRUE(refuses([](Mapping& m) { m.loops[1].factor = 0; }));
  EXPECT_TRUE(refuses([](Mapping& m) { m.loops[3].at[0] = 9; }));  // no such memory
  EXPECT_TRUE(refuses([](Mapping& m) { m.loops[3].at[0] = 3; }));  // holds only weights
  EXPECT_TRUE(refuses([](Mapping& m) { m.loops[3].at[0] = 0; }));  // moved outward
  EXPECT_TRUE(refuses([](Mapping& m) { m.spatial[0][0] = 0; }));
  LayerShape bad_layer = layer;
  bad_layer.stride[0] = 0;
  EXPECT_EQ(replay(bad_layer, machine, good).status, ReplayStatus::malformed);
  EXPECT_EQ(replay(layer, Architecture{}, good).status, ReplayStatus::malformed);
}

}  // namespace
}  // namespace nestor::sim::cim::replay_limits_test
