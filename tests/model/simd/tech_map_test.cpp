// Tests of technology mapping. It preserves functions, finds full adders and does not change mapped netlists.
#include "model/simd/tech_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "bench/netlists/generate.h"
#include "io/netlist/aiger_reader.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/read_netlist.h"
#include "io/netlist/verilog_reader.h"
#include "model/simd/function_table.h"
#include "places.h"
#include "support/netlist_values.h"

namespace nestor::tech_map_test {
namespace {

using simd::GateKind;
using simd::LogicNetwork;
using simd::Netlist;
using simd::Signal;

// Returns the same function as an and-inverter graph, as AIGER provides it: XOR3 as two XORs of three ANDs
// each, MAJ3 as (a & b) | (c & (a | b)).
LogicNetwork as_and_inverter_graph(const Netlist& netlist) {
  simd::XmgBuilder builder(netlist.name);
  std::vector<Signal> image(netlist.node_count());
  for (simd::NodeIndex node = 1; node < netlist.first_gate(); ++node) {
    image[node] = builder.input(netlist.input_names[node - 1]);
  }
  const auto moved = [&](Signal s) { return s.complemented() ? !image[s.node()] : image[s.node()]; };
  const auto disjunction = [&](Signal a, Signal b) { return !builder.and2(!a, !b); };
  const auto parity = [&](Signal a, Signal b) {
    return builder.and2(!builder.and2(a, b), disjunction(a, b));
  };
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    const auto& gate = netlist.gate(node);
    const auto a = moved(gate.fanin[0]);
    const auto b = moved(gate.fanin[1]);
    const auto c = moved(gate.fanin[2]);
    image[node] = gate.kind == GateKind::xor3
                      ? parity(parity(a, b), c)
                      : disjunction(builder.and2(a, b), builder.and2(c, disjunction(a, b)));
  }
  for (const auto& output : netlist.outputs) builder.output(output.name, moved(output.signal));
  return {builder.finish(), false};
}

std::size_t count(const Netlist& netlist, GateKind kind) {
  return static_cast<std::size_t>(std::count_if(netlist.gates.begin(), netlist.gates.end(),
                                                [&](const simd::Gate& gate) { return gate.kind == kind; }));
}

TEST(FunctionTable, BuildsEveryFunctionOfThreeVariables) {
  const auto& table = simd::FunctionTable::get();
  std::array<int, 5> functions{};
  for (unsigned function = 0; function < 256; ++function) {
    simd::XmgBuilder builder("f");
    const std::array<Signal, 3> variables = {builder.input("a"), builder.input("b"), builder.input("c")};
    builder.output("y", table.build(builder, static_cast<simd::Table3>(function), variables));
    EXPECT_LE(builder.gate_count(), table.cost(static_cast<simd::Table3>(function)));
    ++functions.at(table.cost(static_cast<simd::Table3>(function)));
    const auto netlist = builder.finish();
    EXPECT_EQ(tests::values_of(netlist, {0xaa, 0xcc, 0xf0})[0] & 0xffU, function);
  }
  // Without a gate: 2 constants, 6 literals. With one gate: 24 ANDs of two literals and their negations, 6
  // XORs of two, 2 of three, 8 majorities.
  EXPECT_EQ(functions[0], 8);
  EXPECT_EQ(functions[1], 24 + 6 + 2 + 8);
}

TEST(TechMap, LeavesMappedNetlistsAlone) {
  const auto network = io::parse_verilog(
      "module m(a, b, c, y); input a, b, c; output y; assign p = a & b; assign q = a & b; assign idle = p ^ "
      "q ^ c;\n"
      "assign r = (a & a) | (a & b) | (a & b); assign y = p ^ q ^ r; endmodule",
      "m.v");
  ASSERT_TRUE(network.ok());
  const auto mapped = simd::map_to_xmg(*network);
  EXPECT_FALSE(mapped.report.restructured);
  EXPECT_EQ(mapped.netlist.gates, network->netlist.gates);
  EXPECT_EQ(mapped.netlist.gates.size(), 5U);
  EXPECT_LT(simd::map_to_xmg(*network, simd::MapPolicy::always).netlist.gates.size(), 5U);
}

TEST(TechMap, MapsAddersToFullAdders) {
  for (const std::uint32_t width : {4U, 32U, 500U}) {
    const auto adder = bench::generate("adder", {.width = width});
    auto aig = as_and_inverter_graph(*adder);
    EXPECT_GT(aig.netlist.gates.size(), 8 * width - 10);
    const auto mapped = simd::map_to_xmg(std::move(aig)).netlist;
    EXPECT_EQ(count(mapped, GateKind::xor3), width);
    EXPECT_EQ(count(mapped, GateKind::maj3), width);
    EXPECT_TRUE(tests::are_equivalent(mapped, *adder));
  }
  const auto multiplier = bench::generate("multiplier", {.width = 12});
  const auto mapped = simd::map_to_xmg(as_and_inverter_graph(*multiplier)).netlist;
  EXPECT_EQ(mapped.gates.size(), multiplier->gates.size());
  EXPECT_EQ(count(mapped, GateKind::xor3), count(*multiplier, GateKind::xor3));
}

// The carry is written in each of the usual forms.
TEST(TechMap, RecognisesFullAddersInEveryUsualForm) {
  for (const std::string carry :
       {"a & b | a & c | b & c", "a & b | c & (a ^ b)", "~(~(a & b) & ~(c & (a | b)))",
        "(a ^ b) & c | ~(a ^ b) & b", "(a | b) & (a | c) & (b | c)"}) {
    const auto network = io::parse_verilog(
        "module m(a, b, c, s, k); input a, b, c; output s, k; assign s = (a & ~b | ~a & b) ^ c;\n"
        "wire t = a ^ b; assign u = t & c & 1'b1 & 1'b1; assign k = " +
            carry + "; endmodule",
        "m.v");
    ASSERT_TRUE(network.ok()) << network.error().to_string();
    const auto mapped = simd::map_to_xmg(*network, simd::MapPolicy::always).netlist;
    EXPECT_EQ(mapped.gates.size(), 2U) << carry;
    EXPECT_EQ(count(mapped, GateKind::xor3), 1U) << carry;
    EXPECT_TRUE(tests::are_equivalent(mapped, network->netlist)) << carry;
  }
}

TEST(TechMap, KeepsTheFunctionOfEveryGeneratedCircuit) {
  for (const auto& generator : bench::generators()) {
    const auto netlist = bench::generate(generator.name, {.width = 9, .count = 6});
    ASSERT_TRUE(netlist.ok());
    auto aig = as_and_inverter_graph(*netlist);
    const auto before = aig.netlist.gates.size();
    const auto mapped = simd::map_to_xmg(std::move(aig));
    EXPECT_TRUE(tests::are_equivalent(mapped.netlist, *netlist)) << generator.name;
    EXPECT_LE(mapped.report.gates_after, before) << generator.name;
    EXPECT_LE(mapped.netlist.gates.size(), netlist->gates.size() * 11 / 10) << generator.name;
  }
}

TEST(TechMap, KeepsTheFunctionOfRandomLogic) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto netlist = bench::generate("random", {.width = 8, .count = 60, .seed = seed});
    const auto mapped = simd::map_to_xmg({*netlist, false}).netlist;
    EXPECT_TRUE(tests::are_equivalent(mapped, *netlist)) << "seed " << seed;
    EXPECT_LE(mapped.gates.size(), netlist->gates.size()) << "seed " << seed;
  }
}

TEST(TechMap, MapsThePapersNetlistsToNoMoreGates) {
  const std::filesystem::path folder = std::string(NESTOR_SHARED_DIR) + "/data/netlists/masim";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  for (const std::string name : {"int2float", "cavlc", "priority", "max", "sin"}) {
    const auto network = io::read_netlist(folder / (name + ".v"));
    ASSERT_TRUE(network.ok());
    const auto mapped = simd::map_to_xmg(as_and_inverter_graph(network->netlist));
    EXPECT_TRUE(tests::are_equivalent(mapped.netlist, network->netlist)) << name;
    RecordProperty(name, std::to_string(network->netlist.gates.size()) + " -> " +
                             std::to_string(mapped.report.gates_before) + " -> " +
                             std::to_string(mapped.report.gates_after));
    EXPECT_LE(mapped.netlist.gates.size(), network->netlist.gates.size() * 11 / 10) << name;
  }
}

}  // namespace
}  // namespace nestor::tech_map_test
