// Tests of mappings in the formats of ZigZag, Timeloop and AccelForge. Each mapping is written and read back.
#include "io/neighbours/mapping_forms.h"

#include <gtest/gtest.h>

#include <array>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/canonical.h"
#include "support/random_cases.h"

namespace nestor::io::neighbour_mappings_test {
namespace {

using tests::random_case;
using tests::RandomCaseOptions;

constexpr std::array forms = {ShownForm::zigzag, ShownForm::timeloop, ShownForm::accelforge};

struct Written {
  std::array<int, forms.size()> read{}, refused{};
  int doubled = 0;
};

// Writes a mapping in all formats. Reading each text must give the same mapping.
void write_and_read(const NamedArchitecture& architecture, const Layer& layer, const Mapping& mapping,
                    Written& count) {
  const neighbours::MappedLayer mapped{&layer, &mapping};
  for (std::size_t f = 0; f < forms.size(); ++f) {
    const auto text = neighbours::write_mappings(forms[f], std::span(&mapped, 1), architecture);
    if (!text) {
      ++count.refused[f];
      continue;
    }
    ASSERT_TRUE(neighbours::is_foreign_mapping(*text)) << *text;
    const auto read = parse_mappings(*text, "in.yaml", architecture, std::span(&layer, 1));
    ASSERT_TRUE(read) << read.error().to_string() << "\n" << *text;
    Mapping again = read->front();
    normalise(again, layer.shape, architecture.machine);
    ASSERT_EQ(again, mapping) << *text;
    const auto cost = cim::evaluate(layer.shape, architecture.machine, again);
    const auto before = cim::evaluate(layer.shape, architecture.machine, mapping);
    ASSERT_EQ(cost.stall_cycles, before.stall_cycles);
    ASSERT_EQ(cost.energy_pj, before.energy_pj);
    ++count.read[f];
  }
  for (const auto set : mapping.double_buffered) count.doubled += set.empty() ? 0 : 1;
}

TEST(NeighbourMappings, RoundTripUnchanged) {
  Written count;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto random =
        random_case(seed, RandomCaseOptions{.graded = seed % 2 == 0, .groups = seed % 4 == 0});
    Layer layer;
    layer.name = "conv \"1\": [x]";  // needs quotes in YAML
    layer.shape = random.layer;
    write_and_read(random.architecture, layer, random.mapping, count);
    ASSERT_FALSE(HasFatalFailure()) << random.describe();
  }
  EXPECT_EQ(count.read[0], 2000);
  EXPECT_GT(count.read[1], 200);  // needs equal levels for all operands
  EXPECT_GT(count.read[2], 600);
  EXPECT_GT(count.refused[1], 200);
  EXPECT_GT(count.refused[2], 20);
  EXPECT_GT(count.doubled, 200);
}

constexpr const char* small_machine = R"(
name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64}
  - memory: {name: buf, operands: [I, W, O], bandwidth: 64}
  - spatial: {name: row, size: 4, dims: [C]}
  - memory: {name: reg, operands: [I, W, O], bandwidth: 64}
compute: {mvm_cycles: 1}
)";

Layer product(Int k, Int c, Int p) {
  Layer layer;
  layer.name = "fc";
  layer.shape.bounds = {1, k, c, p, 1, 1, 1, 1};
  return layer;
}

Result<std::vector<Mapping>> read_text(const char* text, const Layer& layer,
                                       const char* machine = small_machine) {
  const auto architecture = parse_architecture(machine, "m.yaml");
  if (!architecture) return architecture.error();
  return parse_mappings(text, "in.yaml", *architecture, std::span(&layer, 1));
}

// In Timeloop, the first dimension of a permutation is the innermost, and the loops of a level are outside
// the tiles that this level stores.
TEST(NeighbourMappings, FollowTheSemanticsOfTimeloop) {
  const auto read = read_text(R"(mapping:
  - {target: buf, type: dataspace, keep: [Inputs, Outputs], bypass: [Weights]}
  - {target: buf, type: temporal, factors: [M=2, P=3], permutation: [M, P]}
  - {target: reg, type: temporal, factors: C2 P5, permutation: PC}
  - {target: inter_row_spatial, type: spatial, factors: C4, split: 0}
)",
                              product(2, 8, 15));
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& mapping = read->front();
  ASSERT_EQ(mapping.loops.size(), 4U);
  const std::array expected = {Loop{Dim::P, 3, {1, 0, 1}}, Loop{Dim::K, 2, {1, 0, 1}},
                               Loop{Dim::C, 2, {2, 2, 2}}, Loop{Dim::P, 5, {2, 2, 2}}};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(mapping.loops[i], expected[i]) << i;
  EXPECT_EQ(mapping.spatial[0][index_of(Dim::C)], 4);
}

// In AccelForge, a tile shape is the extent below a loop, and the storage of a tensor is above the loops of
// its tile.
TEST(NeighbourMappings, FollowTheSemanticsOfAccelForge) {
  const auto read = read_text(R"(mapping:
  nodes:
  - !Storage {tensors: [input, weight, output], component: dram}
  - !Temporal {rank_variable: k, tile_shape: 2}
  - !Storage {tensors: [I], component: buf}
  - !Temporal {rank_variable: k, tile_shape: 1}
  - !Spatial {rank_variable: c, tile_shape: 2, name: row, component: row}
  - !Storage {tensors: [I, W, O], component: reg}
  - !Temporal {rank_variable: c, tile_shape: 1}
  - !Compute {einsum: fc, component: mac}
)",
                              product(6, 8, 1));
  ASSERT_TRUE(read) << read.error().to_string();
  const std::array expected = {Loop{Dim::K, 3, {0, 0, 0}}, Loop{Dim::K, 2, {1, 0, 0}},
                               Loop{Dim::C, 2, {2, 2, 2}}};
  ASSERT_EQ(read->front().loops.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(read->front().loops[i], expected[i]) << i;
  EXPECT_EQ(read->front().spatial[0][index_of(Dim::C)], 4);
}

// ZigZag's output does not name axes, and its columns of operands may be in any order.
TEST(NeighbourMappings, ReadTheOutputOfZigZag) {
  const char* const text = R"(Loop ordering for other
=====================================
Temporal Loops       O     W     I
=====================================
for OX in [0, 2):    dram  dram  dram

Loop ordering for fc
==========================================
Temporal Loops            I     O     W
==========================================
for K in [0, 6):          buf   dram  dram
------------------------------------------
  for C in [0, 2):        reg   reg   reg
------------------------------------------
==========================================
Spatial Loops
==========================================
    parfor C in [0, 4):
------------------------------------------
)";
  const auto read = read_text(text, product(6, 8, 1));
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->front().loops.size(), 2U);
  EXPECT_EQ(read->front().loops[0], (Loop{Dim::K, 6, {1, 0, 0}}));
  EXPECT_EQ(read->front().spatial[0][index_of(Dim::C)], 4);

  std::string two_axes = small_machine;
  two_axes.replace(two_axes.find("  - memory: {name: reg"), 0,
                   "  - spatial: {name: bank, size: 4, dims: [C]}\n");
  const auto open = read_text(text, product(6, 8, 1), two_axes.c_str());
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().to_string(),
            "in.yaml:18: C may be on several axes: name one after the loop, such as 'row'");
}

// Timeloop cannot express a loop whose level differs by operand.
TEST(NeighbourMappings, AreRefusedIfAFormatCannotExpressThem) {
  const auto architecture = parse_architecture(small_machine, "m.yaml").value();
  const Layer layer = product(4, 1, 6);
  Mapping mapping;
  mapping.loops.push_back({Dim::K, 2, {0, 0, 1}});
  mapping.loops.push_back({Dim::P, 2, {1, 1, 1}});
  mapping.loops.push_back({Dim::K, 2, {2, 1, 1}});
  mapping.loops.push_back({Dim::P, 3, {2, 2, 2}});
  const neighbours::MappedLayer mapped{&layer, &mapping};
  const auto refused = neighbours::write_mappings(ShownForm::timeloop, std::span(&mapped, 1), architecture);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "layer 'fc': a Timeloop level has one loop per dimension, and no level fits loop K 2 (in dram "
            "for I, dram for W, buf for O)");
  EXPECT_TRUE(neighbours::write_mappings(ShownForm::accelforge, std::span(&mapped, 1), architecture));
}

}  // namespace
}  // namespace nestor::io::neighbour_mappings_test
