// Tests of the reader and the writer of structural Verilog. The reader keeps the functions, names and order
// of the file, and a written netlist is read back with the same functions.
#include "io/netlist/verilog_reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/netlists/generate.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/read_netlist.h"
#include "places.h"
#include "support/netlist_values.h"

namespace nestor::verilog_test {
namespace {

using simd::GateKind;
using simd::Netlist;
using simd::Signal;

simd::LogicNetwork read(std::string_view text) {
  auto network = io::parse_verilog(text, "t.v");
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  return network.ok() ? std::move(network).value() : simd::LogicNetwork{};
}

// Returns the truth table of a netlist with one output and up to six inputs.
std::uint64_t table_of(const Netlist& netlist) {
  return tests::values_of(netlist, tests::all_patterns(netlist.input_names.size())).at(0);
}

constexpr std::uint64_t a = 0xaaaaaaaaaaaaaaaaULL;
constexpr std::uint64_t b = 0xccccccccccccccccULL;
constexpr std::uint64_t c = 0xf0f0f0f0f0f0f0f0ULL;
constexpr std::uint64_t d = 0xff00ff00ff00ff00ULL;

simd::LogicNetwork read_expression(const std::string& expression) {
  return read("module m(a, b, c, d, y); input a, b, c, d; output y; assign y = " + expression +
              "; endmodule");
}

struct Case {
  std::string expression;
  std::uint64_t table;
  std::size_t gates;
  bool mapped;
};

TEST(Verilog, ReadsOperatorsByTheirPrecedence) {
  const std::vector<Case> cases = {
      {"a", a, 0, true},
      {"~a", ~a, 0, true},
      {"~~~(~a)", a, 0, true},
      {"1'b0", 0, 0, true},
      {"~1'b0", ~0ULL, 0, true},
      {"1", ~0ULL, 0, true},
      {"a & b", a & b, 1, true},
      {"~a | b", ~a | b, 1, true},
      {"a ^ b", a ^ b, 1, true},
      {"a ~^ b", ~(a ^ b), 1, true},
      {"a ^~ b ^ c", ~(a ^ b ^ c), 1, true},
      {"a ^ b ^ 1'b0", a ^ b, 1, true},
      {"~(a & ~b)", ~(a & ~b), 1, true},
      {"( a & ~b ) | ( a & c ) | ( ~b & c )", (a & ~b) | (a & c) | (~b & c), 1, true},
      {"(a&b) | (c & (a|b))", (a & b) | (c & (a | b)), 1, true},
      {"a & b | a & c | b & c", (a & b) | (a & c) | (b & c), 1, true},
      {"a & b & c", a & b & c, 2, false},
      {"a | b & c ^ d", a | ((b & c) ^ d), 3, false},
      {"a ^ b ^ c ^ d", a ^ b ^ c ^ d, 2, false},
      {"~((a | b) & ~(c ^ d))", ~((a | b) & ~(c ^ d)), 3, false},
      {"a & ~(b | c | d)", a & ~(b | c | d), 3, false},
      {"a ^ b & c ^ d | a", (a ^ (b & c) ^ d) | a, 3, false},
  };
  for (const auto& test : cases) {
    const auto network = read_expression(test.expression);
    EXPECT_EQ(table_of(network.netlist), test.table) << test.expression;
    EXPECT_EQ(network.netlist.gates.size(), test.gates) << test.expression;
    EXPECT_EQ(network.already_mapped, test.mapped) << test.expression;
  }
}

TEST(Verilog, KeepsTheOrderAndNamesOfTheFile) {
  const auto netlist =
      read(
          "module m(x0, x1, y0, y1); input x0, x1; output y0, y1; wire n3, n4;\n"
          "assign n3 = x0 & x1; assign n4 = ~n3 ^ x0 ^ 1'b0; assign y0 = ~n4; assign y1 = n3; endmodule")
          .netlist;
  EXPECT_EQ(netlist.name, "m");
  EXPECT_EQ(netlist.gate_names, (std::vector<std::string>{"n3", "n4"}));
  EXPECT_EQ(netlist.gates[1].kind, GateKind::xor3);
  EXPECT_EQ(netlist.gates[1].fanin, (std::array{Signal(3, true), Signal(1, false), Signal(0, false)}));
  EXPECT_EQ(netlist.outputs[0].signal, Signal(4, true));
}

TEST(Verilog, OrdersDefinitionsThatComeInAnyOrder) {
  const auto netlist = read(
                           "module m(a, b, y); input a, b; output y; assign y = p & q; assign q = p ^ a;\n"
                           "assign p = a | b; endmodule")
                           .netlist;
  EXPECT_EQ(netlist.gate_names, (std::vector<std::string>{"p", "q", "y"}));
  EXPECT_EQ(table_of(netlist), (a | b) & ((a | b) ^ a));
}

TEST(Verilog, ReadsVectorsSelectionsAndConcatenations) {
  const auto netlist = read(
                           "module \\m[x] (input [1:0] p, input wire [0:1] q, output [3:0] y);\n"
                           "wire [1:0] t; (* keep *) wire u = p[0]; /* note */ assign t = p & ~q; `define X\n"
                           "assign y[1:0] = t, y[2] = u ^ q[1]; assign {y[3]} = {1'b1}; endmodule // end")
                           .netlist;
  EXPECT_EQ(netlist.name, "m[x]");
  EXPECT_EQ(netlist.input_names, (std::vector<std::string>{"p[0]", "p[1]", "q[1]", "q[0]"}));
  EXPECT_EQ(tests::values_of(netlist, {a, b, c, d}),
            (std::vector<std::uint64_t>{a & ~c, b & ~d, a ^ c, ~0ULL}));
}

TEST(Verilog, ReadsSizedConstants) {
  const auto netlist =
      read("module m(output [11:0] y); assign y = {4'd10, 4'hc, 4'b0_1_1_0}; endmodule").netlist;
  std::vector<bool> bits;
  bits.reserve(netlist.outputs.size());
  for (const auto& output : netlist.outputs) bits.push_back(output.signal == Signal(0, true));
  EXPECT_EQ(bits, (std::vector<bool>{0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1}));
}

// Nesting of 200,000 parentheses, and a chain of 50,000 wires that are used before they are assigned. The
// reader has no recursion that could overflow the stack.
TEST(Verilog, ReadsDeepNestingAndLongChains) {
  const std::string open(200000, '(');
  const std::string close(200000, ')');
  EXPECT_EQ(table_of(read_expression(open + "a" + close).netlist), a);
  EXPECT_EQ(table_of(read_expression(std::string(200001, '~') + "a").netlist), ~a);
  std::string chain = "module m(a, y); input a; output y; assign y = w0;";
  for (int i = 0; i < 50000; ++i) {
    chain += " assign w" + std::to_string(i) + " = ~w" + std::to_string(i + 1) + " & a;";
  }
  const auto netlist = read(chain + " assign w50000 = a; endmodule").netlist;
  EXPECT_EQ(netlist.gates.size(), 50000U);
  EXPECT_EQ(table_of(netlist), a);
}

TEST(Verilog, ReadsBackWhatIsWritten) {
  for (const auto& generator : bench::generators()) {
    const auto netlist = bench::generate(generator.name, {});
    ASSERT_TRUE(netlist.ok()) << netlist.error().to_string();
    const auto again = read(io::to_verilog(*netlist));
    EXPECT_TRUE(again.already_mapped) << generator.name;
    EXPECT_EQ(again.netlist.gates, netlist->gates) << generator.name;
    EXPECT_EQ(again.netlist.gate_names, netlist->gate_names) << generator.name;
    EXPECT_EQ(again.netlist.input_names, netlist->input_names) << generator.name;
    EXPECT_EQ(io::to_verilog(again.netlist), io::to_verilog(*netlist)) << generator.name;
  }
}

TEST(Verilog, WritesUnusualGatesAndNamesSoThatTheyReadBack) {
  Netlist netlist;
  netlist.name = "odd-one";
  netlist.input_names = {"a[0]", "module"};
  const Signal x(1, false);
  const Signal y(2, true);
  netlist.gates = {{GateKind::maj3, {x, x, y}},
                   {GateKind::maj3, {Signal(0, false), x, Signal(0, true)}},
                   {GateKind::maj3, {Signal(0, true), y, x}},
                   {GateKind::xor3, {Signal(0, true), x, x}},
                   {GateKind::xor3, {Signal(3, true), Signal(4, false), Signal(0, true)}}};
  netlist.gate_names = {"nand", "o1", "0", "$x", "w"};
  netlist.outputs = {{"o1", Signal(6, true)}, {"a[0]", x}, {"w", Signal(7, false)}, {"w2", Signal(7, true)}};
  const auto text = io::to_verilog(netlist);
  EXPECT_NE(text.find("\\nand "), std::string::npos) << "keywords are escaped";
  const auto again = read(text);
  EXPECT_TRUE(again.already_mapped);
  EXPECT_EQ(again.netlist.gates, netlist.gates);
  EXPECT_EQ(again.netlist.gate_names, (std::vector<std::string>{"nand", "o1_gate", "0", "$x", "w"}));
  ASSERT_EQ(again.netlist.outputs.size(), 4U);
  EXPECT_EQ(again.netlist.outputs[1].name, "a[0]_");
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(again.netlist.outputs[i].signal, netlist.outputs[i].signal) << i;
}

// Checks the published numbers of nodes and inputs, and that each assignment to a wire becomes one gate.
TEST(Verilog, ReadsThePapersNetlistsUnchanged) {
  const std::filesystem::path folder = std::string(NESTOR_SHARED_DIR) + "/data/netlists/masim";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  const std::vector<std::tuple<std::string, std::size_t, std::size_t>> table = {
      {"int2float", 199, 11}, {"router", 201, 60},        {"cavlc", 600, 10},  {"priority", 551, 128},
      {"dec", 304, 8},        {"adder", 256, 256},        {"max", 1824, 512},  {"sin", 3482, 24},
      {"sqrt", 9240, 128},    {"multiplier", 14176, 128}, {"div", 12536, 128}, {"log2", 19760, 32}};
  for (const auto& [name, nodes, inputs] : table) {
    const auto network = io::read_netlist(folder / (name + ".v"));
    ASSERT_TRUE(network.ok()) << network.error().to_string();
    EXPECT_TRUE(network->already_mapped) << name;
    EXPECT_EQ(network->netlist.gates.size(), nodes) << name;
    EXPECT_EQ(network->netlist.input_names.size(), inputs) << name;
  }
}

}  // namespace
}  // namespace nestor::verilog_test
