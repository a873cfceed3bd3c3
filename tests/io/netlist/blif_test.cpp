// Tests of the BLIF reader and writer. The reader returns the functions of the covers in the file, and a
// written netlist is read back with the same functions.
#include "io/netlist/blif_reader.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "io/netlist/netlist_writer.h"
#include "support/netlist_values.h"

namespace nestor::blif_test {
namespace {

simd::LogicNetwork read(std::string_view text) {
  auto network = io::parse_blif(text, "t.blif");
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  return network.ok() ? std::move(network).value() : simd::LogicNetwork{};
}

std::vector<std::uint64_t> tables_of(const simd::Netlist& netlist) {
  return tests::values_of(netlist, tests::all_patterns(netlist.input_names.size()));
}

constexpr std::uint64_t a = 0xaaaaaaaaaaaaaaaaULL;
constexpr std::uint64_t b = 0xccccccccccccccccULL;
constexpr std::uint64_t c = 0xf0f0f0f0f0f0f0f0ULL;

TEST(Blif, ReadsCoversContinuationsAndComments) {
  const auto network = read(
      "# a comment\n.model m # its name\n.inputs a \\\n  b\n.inputs c\n.outputs x y one zero \\ \n a inv\n"
      ".names a b c x\n11- 1\n1-1 1\n-11 1\n"
      ".names a b c \\\n y\n001 1\n010 1\n100 1\n111 1\n.names one\n1\n.names zero\n"
      ".names t inv\n1 0\n.names a b t\n0- 0\n-1 0\n.end\n");
  EXPECT_EQ(network.netlist.name, "m");
  EXPECT_EQ(network.netlist.gates.size(), 3U);
  EXPECT_TRUE(network.already_mapped);
  EXPECT_EQ(tables_of(network.netlist),
            (std::vector<std::uint64_t>{(a & b) | (a & c) | (b & c), a ^ b ^ c, ~0ULL, 0, a, ~(a & ~b)}));
}

// Compares the function read from a random cover with the cover itself, pattern by pattern.
TEST(Blif, ReadsTheFunctionsOfCovers) {
  Random random(3);
  for (int round = 0; round < 400; ++round) {
    const auto width = static_cast<std::size_t>(random.below(8));
    const auto cubes = static_cast<std::size_t>(random.below(width == 0 ? 2 : 9));
    const bool off_set = random.below(2) == 0;
    std::string text = ".model m\n.inputs";
    std::string names = ".names";
    for (std::size_t i = 0; i < width; ++i)
      ((text += " x") += std::to_string(i), (names += " x") += std::to_string(i));
    text += "\n.outputs y\n" + names + " y\n";
    std::vector<std::string> cover;
    for (std::size_t i = 0; i < cubes; ++i) {
      std::string cube;
      for (std::size_t k = 0; k < width; ++k) cube += "01-"[random.below(3)];
      cover.push_back(cube);
      text += cube + (width > 0 ? " " : "") + (off_set ? "0" : "1") + "\n";
    }
    const auto netlist = read(text + ".end\n").netlist;
    std::vector<std::uint64_t> inputs(width);
    for (std::size_t pattern = 0; pattern < std::size_t{1} << width; ++pattern) {
      for (std::size_t i = 0; i < width; ++i) inputs[i] = (pattern >> i) & 1U;
      bool covered = false;
      for (const auto& cube : cover) {
        bool inside = true;
        for (std::size_t i = 0; i < width; ++i)
          inside = inside && (cube[i] == '-' || (cube[i] == '1') == (inputs[i] != 0));
        covered = covered || inside;
      }
      const bool expected = cubes > 0 && covered != off_set;
      ASSERT_EQ(tests::values_of(netlist, inputs)[0] & 1U, expected ? 1U : 0U) << text << pattern;
    }
  }
}

TEST(Blif, FindsParitiesInSmallTables) {
  std::string text = ".model m\n.inputs a b c d\n.outputs y\n.names a b c d y\n";
  for (int i = 0; i < 16; ++i) {
    if (__builtin_popcount(static_cast<unsigned>(i)) % 2 == 0) continue;
    for (int bit = 0; bit < 4; ++bit) text += ((i >> bit) & 1) != 0 ? '1' : '0';
    text += " 1\n";
  }
  EXPECT_EQ(read(text + ".end\n").netlist.gates.size(), 3U);
}

// Regression case found by fuzzing. In BLIF, # begins a comment, and a backslash at the end of a line joins
// the next line to it.
TEST(Blif, ReplacesNamesThatItCannotExpress) {
  simd::Netlist netlist;
  netlist.name = "#1";
  netlist.input_names = {"#a", "_a", "b\\"};
  const simd::Signal x(1, false);
  netlist.gates = {{simd::GateKind::xor3, {x, simd::Signal(2, false), simd::Signal(3, false)}}};
  netlist.gate_names = {"y#"};
  netlist.outputs = {{"y#", simd::Signal(4, false)}, {"#a", x}, {"_a", simd::Signal(4, true)}};
  const auto again = read(io::to_blif(netlist));
  EXPECT_EQ(again.netlist.input_names, (std::vector<std::string>{"_a_", "_a", "b_"}));
  EXPECT_EQ(again.netlist.gates, netlist.gates);
  ASSERT_EQ(again.netlist.outputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(again.netlist.outputs[i].signal, netlist.outputs[i].signal) << i;
}

TEST(Blif, ReadsBackWhatIsWritten) {
  for (const auto& generator : bench::generators()) {
    const auto netlist = bench::generate(generator.name, {});
    ASSERT_TRUE(netlist.ok());
    const auto again = read(io::to_blif(*netlist));
    EXPECT_TRUE(again.already_mapped) << generator.name;
    EXPECT_EQ(again.netlist.gates, netlist->gates) << generator.name;
    EXPECT_EQ(again.netlist.gate_names, netlist->gate_names) << generator.name;
    EXPECT_EQ(io::to_blif(again.netlist), io::to_blif(*netlist)) << generator.name;
  }
}

}  // namespace
}  // namespace nestor::blif_test
