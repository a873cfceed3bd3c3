// AIGER in: text and binary.
#include "io/netlist/aiger_reader.h"

#include <gtest/gtest.h>

#include "io/netlist/read_netlist.h"
#include "model/simd/simulate.h"
#include "solver/core/random.h"

namespace nestor {
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
  std::vector<std::uint64_t> inputs(netlist.input_names.size());
  simd::PatternSource(inputs.size(), 0, 1).next(inputs);
  std::vector<std::uint64_t> values;
  return simd::simulate(netlist, inputs, values);
}

TEST(Aiger, ReadsTextInAnyOrder) {
  // A half adder with its ANDs back to front and variables out of order.
  const auto network = read(
      "aag 7 2 0 4 3\n14\n4\n6\n12\n1\n15\n6 13 3\n2 5 15\n12 4 14\ni0 x y\ni1 b\no0 s\no1 "
      "c\nc\nanything\n\x01");
  EXPECT_FALSE(network.already_mapped);
  const auto& netlist = network.netlist;
  EXPECT_EQ(netlist.input_names, (std::vector<std::string>{"x_y", "b"}));
  EXPECT_EQ(netlist.outputs[2].name, "o2");
  EXPECT_EQ(tables_of(netlist), (std::vector<std::uint64_t>{~(a & b) & (a | b), a & b, ~0ULL, ~a}));
}

void add_delta(std::string& text, std::uint32_t delta) {
  for (; delta >= 0x80; delta >>= 7U) text += static_cast<char>(delta | 0x80U);
  text += static_cast<char>(delta);
}

std::string random_binary(std::uint32_t inputs, std::uint32_t ands, std::uint64_t seed,
                          simd::Netlist& expected) {
  Random random(seed);
  std::string body;
  expected.input_names.resize(inputs);
  for (std::uint32_t i = 0; i < ands; ++i) {
    const std::uint32_t self = 2 * (inputs + 1 + i);
    const auto window = std::min<std::uint64_t>(self, 4000);
    auto left = self - 1 - static_cast<std::uint32_t>(random.below(window));
    auto right = self - 1 - static_cast<std::uint32_t>(random.below(window));
    if (left < right) std::swap(left, right);
    add_delta(body, self - left);
    add_delta(body, left - right);
    expected.gates.push_back(
        {simd::GateKind::maj3,
         {Signal(left / 2, left % 2 != 0), Signal(right / 2, right % 2 != 0), Signal()}});
  }
  const auto variables = inputs + ands;
  const auto count = [](std::uint32_t n) { return std::to_string(n); };
  return "aig " + count(variables) + " " + count(inputs) + " 0 1 " + count(ands) + "\n" +
         count(2 * variables + 1) + "\n" + body + "o0 last\n";
}

TEST(Aiger, ReadsBinary) {
  simd::Netlist expected;
  const auto text = random_binary(40, 20000, 5, expected);
  const auto network = read(text);
  EXPECT_EQ(network.netlist.gates, expected.gates);
  EXPECT_EQ(network.netlist.outputs[0].name, "last");
  EXPECT_EQ(network.netlist.outputs[0].signal, Signal(20040, true));
}

// Ten million gates load: the memory is what the network itself needs. (Issue: "in bounded memory or fails".)
TEST(Aiger, ReadsTenMillionGates) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "too slow under a sanitizer";
#endif
  simd::Netlist expected;
  const auto text = random_binary(1000, 10'000'000, 6, expected);
  const auto network = read(text);
  EXPECT_EQ(network.netlist.gates.size(), 10'000'000U);
  EXPECT_EQ(network.netlist.gates, expected.gates);
}

}  // namespace
}  // namespace nestor
