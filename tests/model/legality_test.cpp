// Tests of the legality rules of mappings, rule by rule, and of the canonical form.
#include "model/loopnest/rules/legality.h"

#include <gtest/gtest.h>

#include <functional>

#include "model/loopnest/architecture.h"
#include "model/loopnest/canonical.h"

namespace nestor::cim::legality_test {
namespace {

// Returns a machine with dram for all operands, gbuf for I and O (256 bits, may be double-buffered), a core
// axis with 2 lanes for K, and below it regs for I and O and macro for W (64 bits each).
Architecture small_machine() {
  Architecture machine;
  machine.memories.push_back(
      {.operands = OperandSet::of(Operand::I, Operand::W, Operand::O), .bandwidth = 8});
  machine.memories.push_back({.operands = OperandSet::of(Operand::I, Operand::O),
                              .capacity = 256,
                              .bandwidth = 8,
                              .double_buffer = true});
  machine.axes.push_back({.size = 2, .dims = DimSet::of(Dim::K)});
  machine.memories.push_back(
      {.operands = OperandSet::of(Operand::I, Operand::O), .capacity = 64, .bandwidth = 8, .axes_above = 1});
  machine.memories.push_back(
      {.operands = OperandSet::of(Operand::W), .capacity = 64, .bandwidth = 8, .axes_above = 1});
  return machine;
}

LayerShape small_layer() {
  LayerShape layer;
  layer.bounds = {1, 4, 2, 3, 1, 1, 1, 1};
  return layer;
}

// Returns a mapping with K on the core axis. For I and O, the loops over K and P are in gbuf and the loop
// over C is in regs. For W, the loop over K is in dram and the other loops are in macro.
Mapping legal_mapping() {
  Mapping mapping;
  mapping.spatial[0][index_of(Dim::K)] = 2;
  mapping.loops.push_back({.dim = Dim::K, .factor = 2, .at = {1, 0, 1}});
  mapping.loops.push_back({.dim = Dim::P, .factor = 3, .at = {1, 3, 1}});
  mapping.loops.push_back({.dim = Dim::C, .factor = 2, .at = {2, 3, 2}});
  return mapping;
}

TEST(Legality, AcceptsALegalMapping) {
  EXPECT_FALSE(find_violation(small_layer(), small_machine(), legal_mapping()));
}

TEST(Legality, NamesEachBrokenRule) {
  struct Broken {
    Rule rule;
    std::function<void(Mapping&)> change;
  };
  const auto k = index_of(Dim::K);
  const std::vector<Broken> cases = {
      {Rule::factor_below_one, [&](Mapping& m) { m.spatial[0][k] = 0; }},
      {Rule::factor_below_one, [&](Mapping& m) { m.loops[0].factor = 1; }},
      {Rule::axis_dim_not_allowed, [&](Mapping& m) { m.spatial[0][index_of(Dim::P)] = 3; }},
      {Rule::axis_overflow, [&](Mapping& m) { m.spatial[0][k] = 4; }},
      {Rule::bound_mismatch, [&](Mapping& m) { m.loops[1].factor = 4; }},
      {Rule::memory_without_operand, [&](Mapping& m) { m.loops[0].at[index_of(Operand::W)] = 1; }},
      {Rule::memory_without_operand, [&](Mapping& m) { m.loops[0].at[index_of(Operand::W)] = 200; }},
      {Rule::block_moves_outward,
       [&](Mapping& m) { m.loops[0].at[index_of(Operand::W)] = 3, m.loops[1].at[1] = 0; }},
      {Rule::double_buffer_home, [](Mapping& m) { m.double_buffered[0].insert(Operand::I); }},
      {Rule::double_buffer_not_allowed, [](Mapping& m) { m.double_buffered[2].insert(Operand::I); }},
      {Rule::double_buffer_unused,
       [](Mapping& m) {
         for (auto& loop : m.loops) loop.at[0] = 2;
         m.double_buffered[1].insert(Operand::I);
       }},
      {Rule::capacity,
       [](Mapping& m) {
         m.double_buffered[1].insert(Operand::I);
         m.double_buffered[1].insert(Operand::O);
       }},
      {Rule::not_canonical, [](Mapping& m) { m.loops[1].at[index_of(Operand::W)] = 0; }},
  };
  for (const auto& [rule, change] : cases) {
    Mapping mapping = legal_mapping();
    change(mapping);
    const auto violation = find_violation(small_layer(), small_machine(), mapping);
    ASSERT_TRUE(violation) << static_cast<int>(rule);
    EXPECT_EQ(violation->rule, rule) << static_cast<int>(rule) << " " << static_cast<int>(violation->rule);
  }
}

TEST(Normalise, MovesIrrelevantLoopsInwardAndDropsTheEmptiedDoubleBuffer) {
  Mapping mapping = legal_mapping();
  // For I, gbuf is double-buffered but has only the loop over K, which is irrelevant to I. P and C are in
  // regs.
  mapping.loops[1].at[0] = 2;
  mapping.double_buffered[1].insert(Operand::I);
  normalise(mapping, small_layer(), small_machine());
  EXPECT_EQ(mapping.loops[0].at[0], 2);
  EXPECT_FALSE(mapping.double_buffered[1].contains(Operand::I));
  const auto violation = find_violation(small_layer(), small_machine(), mapping);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->rule, Rule::capacity) << "the whole input no longer fits the register";
}

}  // namespace
}  // namespace nestor::cim::legality_test
