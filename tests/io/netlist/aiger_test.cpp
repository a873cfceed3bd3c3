// Tests of the readers of text and binary AIGER files: names, order of variables, constants and functions.
#include "io/netlist/aiger_reader.h"

#include <gtest/gtest.h>

#include "io/netlist/random_aiger.h"
#include "io/netlist/read_netlist.h"
#include "support/netlist_values.h"

namespace nestor::aiger_test {
namespace {

using simd::Signal;

simd::LogicNetwork read(std::string_view text) {
  auto network = io::parse_netlist(text, "t.aig");
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  return network.ok() ? std::move(network).value() : simd::LogicNetwork{};
}

constexpr std::uint64_t a = 0xaaaaaaaaaaaaaaaaULL;
constexpr std::uint64_t b = 0xccccccccccccccccULL;

std::vector<std::uint64_t> tables_of(const simd::Netlist& netlist) {
  return tests::values_of(netlist, tests::all_patterns(netlist.input_names.size()));
}

TEST(Aiger, ReadsTextInAnyOrder) {
  // A half adder. The inputs of its ANDs are swapped, and its variables are not in order.
  const auto network = read(
      "aag 7 2 0 4 3\n14\n4\n6\n12\n1\n15\n6 13 3\n2 5 15\n12 4 14\ni0 x y\ni1 b\no0 s\no1 "
      "c\nc\nanything\n\x01");
  EXPECT_FALSE(network.already_mapped);
  const auto& netlist = network.netlist;
  EXPECT_EQ(netlist.input_names, (std::vector<std::string>{"x_y", "b"}));
  EXPECT_EQ(netlist.outputs[2].name, "o2");
  EXPECT_EQ(tables_of(netlist), (std::vector<std::uint64_t>{~(a & b) & (a | b), a & b, ~0ULL, ~a}));
}

TEST(Aiger, ReadsBinary) {
  simd::Netlist expected;
  const auto text = tests::random_binary_aiger(40, 20000, 5, expected);
  const auto network = read(text);
  EXPECT_EQ(network.netlist.gates, expected.gates);
  EXPECT_EQ(network.netlist.outputs[0].name, "last");
  EXPECT_EQ(network.netlist.outputs[0].signal, Signal(20040, true));
}

}  // namespace
}  // namespace nestor::aiger_test
