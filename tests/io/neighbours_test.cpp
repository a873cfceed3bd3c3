// Tests of machines and networks in files of ZigZag, Timeloop and AccelForge. The values that are read are
// compared with expected values.
#include "io/neighbours/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "io/cim/architecture_file.h"
#include "io/memory_files.h"

namespace nestor::io::neighbours_test {
namespace {

constexpr const char* zigzag_machine = R"(
name: tiny
memories:
  cells: {size: 8, r_bw: 8, w_bw: 8, r_cost: 0, w_cost: 0.8, operands: [I2], served_dimensions: [],
          auto_cost_extraction: false, latency: 0}
  in_reg: {size: 8, r_bw: 8, w_bw: 8, r_cost: 0.08, w_cost: 0.16, operands: [I1], served_dimensions: [D1]}
  out_reg: {size: 16, r_bw: 16, w_bw: 16, r_cost: 0.16, w_cost: 0.16, operands: [O], served_dimensions: [D2]}
  sram: {size: 4096, r_bw: 128, w_bw: 64, r_cost: 128, w_cost: 128, operands: [I1, O], served_dimensions: [D1, D2]}
  dram: {size: 1_000_000, operands: [I1, I2, O], served_dimensions: [D1, D2], r_cost: 640, w_cost: 640,
         ports: [{name: p, type: read_write, bandwidth_min: 8, bandwidth_max: 64, allocation: []}], flavour: 3}
operational_array: {is_imc: true, imc_type: digital, input_precision: [8, 8], bit_serial_precision: 3,
                    multiplier_energy: 0.5,
                    dimensions: [D1, D2], sizes: [4, 16]}
)";

TEST(Neighbours, ZigZagMachinesBecomeChainsOfMemories) {
  const auto read = parse_architecture(zigzag_machine, "tiny.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& machine = read->machine;
  EXPECT_EQ(read->memory_names, (std::vector<std::string>{"dram", "sram", "in_reg", "out_reg", "cells"}));
  EXPECT_EQ(read->axis_names, (std::vector<std::string>{"D1", "D2"}));
  EXPECT_EQ(machine.axes[0].dims, DimSet::of(Dim::K));
  EXPECT_EQ(machine.axes[1].dims, DimSet::of(Dim::C, Dim::R, Dim::S));
  // Each of the sixteen lanes of D2 has an input register of one word. Together they become one memory.
  EXPECT_EQ(machine.memories[2].capacity, 16 * 8);
  EXPECT_EQ(machine.memories[2].bandwidth, 16 * 8);
  EXPECT_EQ(machine.memories[2].axes_above, 0);
  EXPECT_EQ(machine.memories[3].capacity, 16);
  EXPECT_EQ(machine.memories[3].axes_above, 1);
  EXPECT_EQ(machine.memories[4].axes_above, 2);
  EXPECT_FALSE(machine.memories[4].double_buffer);
  EXPECT_TRUE(machine.memories[1].double_buffer);
  EXPECT_EQ(machine.memories[1].bandwidth, 64);
  EXPECT_DOUBLE_EQ(machine.memories[1].read_energy, 1);   // 128 pJ for 128 bits
  EXPECT_DOUBLE_EQ(machine.memories[1].write_energy, 2);  // 128 pJ for 64 bits
  EXPECT_EQ(machine.mvm_cycles, 3);                       // 8 bits, 3 at a time
  EXPECT_EQ(machine.memories[0].capacity, 1000000);
  EXPECT_DOUBLE_EQ(machine.mac_energy, 0.5);
  const auto& notes = read->untranslated;
  const auto says = [&](const std::string& line) {
    return std::find(notes.begin(), notes.end(), line) != notes.end();
  };
  EXPECT_TRUE(says("memories.*.flavour: no counterpart"));
  EXPECT_TRUE(says("memories.sram: read and write bandwidth differ, 128 and 64; the smaller is used"));
  EXPECT_TRUE(
      says("memories.in_reg.served_dimensions: its 16 instances along other dimensions are one memory here, "
           "with their size and bandwidth together"));
  // Reading the printed machine yields the same machine.
  const auto again = parse_architecture(to_text(architecture_to_json(*read)), "again.json");
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->machine, machine);
}

Network network_of(const char* text, const char* file = "net.yaml") {
  const auto network = neighbours::parse_network(text, file);
  EXPECT_TRUE(network.has_value());
  if (!network) return {};
  EXPECT_TRUE(*network) << network->error().to_string();
  return *network ? **network : Network{};
}

TEST(Neighbours, ZigZagWorkloadsAreLayers) {
  const auto network = network_of(R"(
- id: 3
  operator_type: Conv
  equation: O[b][g][k][oy][ox]+=W[g][k][c][fy][fx]*I[b][g][c][iy][ix]
  dimension_relations: [ix=2*ox+1*fx, iy=3*oy + 2*fy]
  loop_dims: [B, G, K, C, OY, OX, FY, FX]
  loop_sizes: [2, 4, 8, 5, 7, 6, 3, 1]
  operand_precision: {W: 4, I: 5, O: 20, O_final: 7}
  operand_source: {I: 0, W: 3}
- {id: 4, operator_type: Add, equation: "O[b][g]=W[b][g]+I[b][g]", loop_dims: [B, G], loop_sizes: [1, 4],
   operand_precision: {W: 8, I: 8, O: 8}}
)");
  EXPECT_EQ(network.name, "net");
  ASSERT_EQ(network.layers.size(), 1U);
  const auto& layer = network.layers[0];
  EXPECT_EQ(layer.name, "Layer3");
  EXPECT_EQ(layer.shape.bounds, (Extents{2, 8, 5, 7, 6, 3, 1, 1}));
  EXPECT_EQ(layer.groups, 4);
  EXPECT_EQ(layer.repeat, 4);
  EXPECT_EQ(layer.shape.stride, (std::array<Int, 2>{3, 2}));
  EXPECT_EQ(layer.shape.dilation, (std::array<Int, 2>{2, 1}));
  EXPECT_EQ(layer.shape.bits, (BitWidths{5, 4, 7, 20}));
  ASSERT_EQ(network.unmapped.size(), 1U);
  EXPECT_EQ(network.unmapped[0].type, "Add");
}

constexpr const char* timeloop_machine = R"(
architecture:
  version: 0.4
  nodes:
  - !Container {name: system, attributes: {global_cycle_seconds: 2e-9}}
  - !Component {name: DRAM, class: DRAM, attributes: {width: 64, datawidth: 8, read_bandwidth: 8, write_bandwidth: 4}}
  - !Component
    name: glb
    class: smartbuffer_SRAM
    attributes: {depth: 64, width: 32, datawidth: 8}
    constraints: {dataspace: {bypass: [Weights]}, temporal: {permutation: [C]}}
  - !Container
    name: PE
    spatial: {meshX: 4, meshY: 2}
    constraints: {spatial: {factors: [N=1, P=1, Q=1, R=1]}}
  - !Parallel
    nodes:
    - !Component {name: wr, class: storage, attributes: {entries: 3, datawidth: 8}, constraints: {dataspace: {keep: [Weights]}}}
    - !Component {name: io, class: storage, attributes: {depth: 4, width: 16}, constraints: {dataspace: {keep: [Inputs, Outputs]}}}
  - !Component {name: mac, class: intmac}
)";

TEST(Neighbours, TimeloopMachinesAreChainsOfNodes) {
  const auto read = parse_architecture(timeloop_machine, "eye.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& machine = read->machine;
  EXPECT_EQ(read->name, "eye");
  EXPECT_EQ(read->memory_names, (std::vector<std::string>{"DRAM", "glb", "wr", "io"}));
  EXPECT_EQ(read->axis_names, (std::vector<std::string>{"PE_X", "PE_Y"}));
  EXPECT_EQ(machine.axes[1].dims, DimSet::of(Dim::K, Dim::C, Dim::S));
  EXPECT_EQ(machine.memories[0].capacity, unlimited_capacity);
  EXPECT_EQ(machine.memories[0].bandwidth, 32);  // words of 8 bits; the slower of read and write
  EXPECT_EQ(machine.memories[1].capacity, 64 * 32);
  EXPECT_EQ(machine.memories[1].operands, OperandSet::of(Operand::I, Operand::O));
  EXPECT_EQ(machine.memories[2].capacity, 24);
  EXPECT_EQ(machine.memories[2].operands, OperandSet::of(Operand::W));
  EXPECT_EQ(machine.memories[3].axes_above, 2);
  EXPECT_EQ(machine.clock, 5e8);
}

TEST(Neighbours, TimeloopContainersPassTheirAttributesOn) {
  const auto read = parse_architecture(R"(
architecture:
  version: 0.4
  nodes:
  - !Container {name: system, attributes: {datawidth: 16}}
  - !Component {name: dram, class: DRAM, attributes: {read_bandwidth: 4}}
  - !Container {name: tile, attributes: {datawidth: 4}, spatial: {meshX: 8},
                constraints: {spatial: {factors: R=1 S=1 P=1 Q=1 N=1}}}
  - !Parallel
    nodes:
    - !Component {name: both, class: storage, attributes: {entries: 3}, constraints: {dataspace: {keep: [Weights, Outputs]}}}
    - !Nothing {constraints: {dataspace: {keep: [Inputs]}}}
  - !Component {name: in, class: storage, attributes: {entries: 2}, constraints: {dataspace: {bypass: [Weights, Outputs]}}}
  - !Component {name: mac, class: intmac}
)",
                                       "tile.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& machine = read->machine;
  EXPECT_EQ(machine.memories[0].bandwidth, 4 * 16);
  EXPECT_EQ(machine.axes[0].dims, DimSet::of(Dim::K, Dim::C));
  EXPECT_EQ(read->memory_names, (std::vector<std::string>{"dram", "both", "in"}));
  EXPECT_EQ(machine.memories[1].operands, OperandSet::of(Operand::W, Operand::O));
  EXPECT_EQ(machine.memories[1].capacity, 3 * 4);
}

TEST(Neighbours, TimeloopProblemsAreOneLayer) {
  const auto network = network_of(R"(
problem:
  version: 0.4
  instance: {C: 3, M: 4, R: 3, S: 2, N: 1, P: 5, Q: 6, Wstride: 2, Hdilation: 3, densities: {}}
  shape:
    name: conv
    dimensions: [C, M, R, S, N, P, Q]
    coefficients: [{name: Wstride, default: 1}, {name: Hdilation, default: 1}]
    data_spaces:
    - {name: Weights, projection: [[[C]], [[M]], [[R]], [[S]]]}
    - {name: Inputs, projection: [[[N]], [[C]], [[R], [P, Wstride]], [[S, Hdilation], [Q]]]}
    - {name: Outputs, projection: [[[N]], [[M]], [[Q]], [[P]]], read_write: true}
)");
  ASSERT_EQ(network.layers.size(), 1U);
  const auto& layer = network.layers[0];
  EXPECT_EQ(layer.name, "conv");
  EXPECT_EQ(layer.shape.bounds, (Extents{1, 4, 3, 5, 6, 3, 2, 1}));
  EXPECT_EQ(layer.shape.stride, (std::array<Int, 2>{2, 1}));
  EXPECT_EQ(layer.shape.dilation, (std::array<Int, 2>{1, 3}));
}

constexpr const char* accelforge_machine = R"(
arch:
  nodes:
  - !Memory
    name: Main
    size: inf
    tensors: {keep: ~Intermediates, may_keep: All}
    actions: [{name: read, energy: 2e-12, latency: 1 / (8 * 1e9)}, {name: write, energy: 4e-12, throughput: 16e9}]
  - !Memory
    name: Glb
    size: 4*1024
    area: 2e-6
    tensors: {keep: input | output}
    actions: [{name: read, energy: 8e-12, latency: 1e-9, bits_per_action: 8}, {name: write, energy: 0, latency: 0}]
  - !Container
    name: PE
    spatial:
    - {name: in, fanout: 4, may_reuse: input, reuse: input}
    - {name: out, fanout: 2, may_reuse: All - input - weight}
  - !Memory
    name: Reg
    size: 32
    leak_power: 1e-3
    tensors: {keep: ~Glb}
    actions: [{name: read, energy: 0, latency: 0}, {name: write, energy: 0, latency: 0}]
  - !Compute {name: MAC, actions: [{name: compute, energy: 3e-12, latency: 2e-9}]}
)";

TEST(Neighbours, AccelForgeMachinesAreReadInCycles) {
  const auto read = parse_architecture(accelforge_machine, "af.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto& machine = read->machine;
  EXPECT_EQ(read->memory_names, (std::vector<std::string>{"Main", "Glb", "Reg"}));
  EXPECT_EQ(read->axis_names, (std::vector<std::string>{"PE.in", "PE.out"}));
  EXPECT_EQ(machine.axes[0].dims, DimSet::of(Dim::K));
  EXPECT_EQ(machine.axes[1].dims, DimSet::of(Dim::C, Dim::R, Dim::S));
  EXPECT_EQ(machine.memories[0].bandwidth, 16);  // 8 bits per nanosecond, 2 ns per cycle
  EXPECT_EQ(machine.memories[1].bandwidth, 16);
  EXPECT_EQ(machine.memories[1].capacity, 4096);
  EXPECT_DOUBLE_EQ(machine.memories[0].read_energy, 2);
  EXPECT_DOUBLE_EQ(machine.memories[1].read_energy, 1);
  EXPECT_EQ(machine.memories[2].operands, OperandSet::of(Operand::W));
  EXPECT_DOUBLE_EQ(machine.mac_energy, 3);
  EXPECT_DOUBLE_EQ(machine.leakage, 8 * 1e-3 * 2e-9 * 1e12);  // eight registers
  EXPECT_EQ(machine.clock, 5e8);
}

TEST(Neighbours, AccelForgeTotalLatenciesCount) {
  const auto read = parse_architecture(R"(
arch:
  nodes:
  - !Memory {name: main, size: inf, total_latency: (read_actions + write_actions) / 8e9}
  - !Memory
    name: buf
    size: 64
    total_latency: max(2 * read_latency, write_latency)
    actions: [{name: read, latency: 1e-9, bits_per_action: 32}, {name: write, latency: 1e-9, bits_per_action: 48}]
  - !Memory {name: odd, size: 64, total_latency: 1e-9 + width * read_actions}
  - !Compute {name: mac, total_latency: compute_actions / 1e9}
)",
                                       "times.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->machine.clock, 1e9);
  EXPECT_EQ(read->machine.memories[0].bandwidth, 8);
  EXPECT_EQ(read->machine.memories[1].bandwidth, 16);  // 32 bits read in 2 ns
  const auto& notes = read->untranslated;
  EXPECT_EQ(std::count(notes.begin(), notes.end(),
                       "odd.total_latency: no arithmetic with the counts and latencies of actions"),
            1);
}

TEST(Neighbours, AccelForgeEinsumsAreLayers) {
  const auto network = network_of(R"(
workload:
  rank_sizes: {B: 2, M: 6, H: 3, E: 4, P: 5, P0: 8}
  iteration_space_shape: {d: 0 <= d < 7}
  bits_per_value: {All: 8, WQ: 4}
  einsums:
  - "Q[b, m, h, e] = I[b, m, d] * WQ[h, e, d]"
  - einsum: "QK[b, m, p, h] = Q[b, m, h, e] * K[b, M: p, h, e]"
  - "S[b, m] = QK[b, m]"
  - name: Window
    tensor_accesses:
    - {name: A, projection: {P0: p + r, C: c}}
    - {name: WA, projection: [r, c]}
    - {name: B, projection: [p], output: True}
    iteration_space_shape: [0 <= r < 3, 1 <= c < 3]
)");
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[0].shape.bounds,
            (Extents{2, 12, 7, 6, 1, 1, 1, 1}));  // h and e become one dimension
  EXPECT_EQ(network.layers[0].shape.bits, (BitWidths{8, 4, 8, 32}));
  EXPECT_EQ(network.layers[1].shape.bounds, (Extents{1, 5, 4, 6, 1, 1, 1, 1}));
  EXPECT_EQ(network.layers[1].repeat, 6);  // b and h are groups
  EXPECT_EQ(network.layers[2].name, "Window");
  EXPECT_EQ(network.layers[2].shape.bounds, (Extents{1, 1, 2, 5, 1, 3, 1, 1}));
  ASSERT_EQ(network.unmapped.size(), 1U);
  EXPECT_EQ(network.unmapped[0].type, "S");
}

TEST(Neighbours, AccelForgeRolesAndSumsOfTensorsAreRead) {
  const auto network = network_of(R"(
workload:
  rank_sizes: {M: 6, E: 4}
  shape: {d: 0 <= d < 7}
  einsums:
  - C(output)[m, e] = B(weight)[d, E=e] * A(input)[m, d]
  - T[m, e] = copy(A[m, e])
  - S[m, e] = C[m, e] + T[m, e]
)");
  ASSERT_EQ(network.layers.size(), 1U);
  EXPECT_EQ(network.layers[0].shape.bounds, (Extents{1, 4, 7, 6, 1, 1, 1, 1}));
  ASSERT_EQ(network.unmapped.size(), 2U);
  EXPECT_EQ(network.unmapped[0].type, "S");
}

TEST(Neighbours, TemplatesIncludeFiles) {
  const MemoryFiles files = {{"shapes/base.yaml", R"(base: &base
  instance: {N: 1, C: 1, M: 1, P: 1, Wstride: 1}
  shape:
    dimensions: [N, C, M, P]
    coefficients: [{name: Wstride}]
    data_spaces:
    - {name: Weights, projection: [[[C]], [[M]]]}
    - {name: Inputs, projection: [[[N]], [[C]], [[P, Wstride]]]}
    - {name: Outputs, projection: [[[N]], [[M]], [[P]]], read_write: true}
)"},
                             {"shapes/net/one.yaml", R"({{include_text('../base.yaml')}}
problem:
  <<<: *base
  instance: {C: 3, M: 5, P: 7, WStride: 2}
)"},
                             {"shapes/net/bad.yaml", R"({{include_text('../base.yaml')}}
problem:
  <<<: *base
  instance: {C: many}
)"},
                             {"shapes/net/again.yaml", "{{include_text('one.yaml')}}\nproblem: {}\n"}};
  const ThreadOverride<const MemoryFiles> scope(files);
  const auto read = [](const char* file) { return neighbours::read_network(file); };
  const auto network = read("shapes/net/one.yaml");
  ASSERT_TRUE(network) << network.error().to_string();
  ASSERT_EQ(network->layers.size(), 1U);
  EXPECT_EQ(network->layers[0].shape.bounds, (Extents{1, 5, 3, 7, 1, 1, 1, 1}));
  EXPECT_EQ(network->layers[0].shape.stride, (std::array<Int, 2>{1, 1}));
  const auto& notes = network->untranslated;
  EXPECT_EQ(std::count(notes.begin(), notes.end(),
                       "problem.instance.WStride: neither a dimension nor a coefficient of the shape, which "
                       "has 'Wstride', here 1"),
            1);
  // Line numbers refer to the file with the inclusion.
  EXPECT_EQ(read("shapes/net/bad.yaml").error().to_string(),
            "shapes/net/bad.yaml:4:17: bound of C is 'many', expected a number or arithmetic of numbers");
  EXPECT_EQ(
      parse_architecture(files.at("shapes/net/again.yaml"), "shapes/net/again.yaml").error().to_string(),
      "shapes/net/again.yaml:1:1: 'shapes/net/one.yaml' is included and is a template itself: expand it "
      "first");
}

TEST(Neighbours, TemplatesAndAliasesAreExpanded) {
  const auto network = network_of(R"({% set N = N | default(3*2) %}
common: &sizes {E: 4, D: 7}
workload:
  rank_sizes: {<<: *sizes, M: {{N}}}
  bits_per_value: {All: 8}
  einsums:
  {% for i in range(N / 2) %}
  - "Q{{i}}[m, e] = I[m, d] * WQ[d, e]"
  {% endfor %}
)");
  ASSERT_EQ(network.layers.size(), 3U);
  EXPECT_EQ(network.layers[2].name, "Q2");
  EXPECT_EQ(network.layers[2].shape.bounds, (Extents{1, 4, 7, 6, 1, 1, 1, 1}));
}

// Reads files of the three projects from a folder with clones of their repositories. We may not ship these
// files (docs/neighbours.md).
TEST(Neighbours, RealFilesAreReadOrRefusedInOneSentence) {
  const char* const folder = std::getenv("NESTOR_NEIGHBOURS");
  if (folder == nullptr) GTEST_SKIP() << "NESTOR_NEIGHBOURS names no folder with files of other tools";
  int machines = 0, networks = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".yaml") continue;
    const auto text = read_file(entry.path(), DocumentLimits{}.bytes);
    ASSERT_TRUE(text) << text.error().to_string();
    const auto file = entry.path().string();
    std::string message;
    if (const auto network = neighbours::parse_network(*text, file)) {
      networks += *network ? 1 : 0;
      if (!*network) message = network->error().to_string();
    } else if (const auto machine = parse_architecture(*text, file)) {
      ++machines;
    } else {
      message = machine.error().to_string();
    }
    if (message.empty()) continue;
    ++refused;
    EXPECT_TRUE(message.starts_with(file)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_GT(machines + networks, 0) << refused << " files, none of which can be read";
  std::cout << machines << " machines, " << networks << " networks, " << refused << " refused\n";
}

}  // namespace
}  // namespace nestor::io::neighbours_test
