// Tests of generated circuits: on random words, each computes the function that its name states. The
// reference is integer arithmetic.
#include "bench/netlists/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "model/simd/reorder.h"
#include "support/netlist_values.h"

namespace nestor::generate_test {
namespace {

using simd::Netlist;

Netlist make(std::string_view name, bench::GeneratorSize size) {
  auto netlist = bench::generate(name, size);
  EXPECT_TRUE(netlist.ok()) << netlist.error().to_string();
  return netlist.ok() ? std::move(netlist).value() : Netlist{};
}

using Words = std::map<std::string, std::uint64_t>;

std::string numbered(std::string name, std::uint32_t index) {
  name += std::to_string(index);
  name += '_';
  return name;
}

// Splits a name: "w12_3" is bit 3 of "w12_"; "valid" has no digits and is bit 0.
std::pair<std::string, int> split_name(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789") + 1;
  return {name.substr(0, end), end < name.size() ? std::stoi(name.substr(end)) : 0};
}

// Runs `rounds` blocks of 64 random patterns and passes the input and output words of each pattern to
// `check`.
void for_patterns(const Netlist& netlist, int rounds,
                  const std::function<void(const Words& inputs, const Words& outputs)>& check) {
  Random random(7);
  std::vector<std::uint64_t> inputs(netlist.input_names.size());
  for (int round = 0; round < rounds; ++round) {
    for (auto& input : inputs) input = random.next();
    const auto outputs = tests::values_of(netlist, inputs);
    for (unsigned pattern = 0; pattern < 64; ++pattern) {
      Words in;
      Words out;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto [word, bit] = split_name(netlist.input_names[i]);
        in[word] |= ((inputs[i] >> pattern) & 1U) << bit;
      }
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto [word, bit] = split_name(netlist.outputs[i].name);
        out[word] |= ((outputs[i] >> pattern) & 1U) << bit;
      }
      check(in, out);
    }
  }
}

TEST(Generate, AdderAdds) {
  const auto netlist = make("adder", {.width = 13});
  EXPECT_EQ(netlist.gates.size(), 26U);
  for_patterns(netlist, 4,
               [](const Words& in, const Words& out) { EXPECT_EQ(out.at("s"), in.at("a") + in.at("b")); });
}

TEST(Generate, OtherAddersAddToo) {
  for (const auto* name : {"brent-kung", "kogge-stone", "carry-select"})
    for (const std::uint32_t width : {1U, 2U, 7U, 16U, 21U}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(width));
      for_patterns(make(name, {.width = width}), 4, [](const Words& in, const Words& out) {
        EXPECT_EQ(out.at("s"), in.at("a") + in.at("b"));
      });
    }
}

TEST(Generate, ColumnsAddUp) {
  for_patterns(make("wallace", {.width = 9}), 4,
               [](const Words& in, const Words& out) { EXPECT_EQ(out.at("p"), in.at("a") * in.at("b")); });
  for_patterns(make("popcount", {.width = 40}), 4, [](const Words& in, const Words& out) {
    EXPECT_EQ(out.at("s"), static_cast<std::uint64_t>(std::popcount(in.at("x"))));
  });
  for_patterns(make("carry-save", {.width = 6, .count = 7}), 4, [](const Words& in, const Words& out) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < 7; ++i) sum += in.at(numbered("w", i));
    EXPECT_EQ(out.at("s"), sum);
  });
  for_patterns(make("dot", {.width = 4, .count = 5}), 4, [](const Words& in, const Words& out) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < 5; ++i) sum += in.at(numbered("a", i)) * in.at(numbered("b", i));
    EXPECT_EQ(out.at("s"), sum);
  });
}

TEST(Generate, BarrelRotatesAndParityCounts) {
  for_patterns(make("barrel", {.width = 16}), 4, [](const Words& in, const Words& out) {
    EXPECT_EQ(out.at("y"), std::rotl(static_cast<std::uint16_t>(in.at("x")), static_cast<int>(in.at("n"))));
  });
  for_patterns(make("parity", {.width = 29}), 4, [](const Words& in, const Words& out) {
    EXPECT_EQ(out.at("parity"), static_cast<std::uint64_t>(std::popcount(in.at("x")) % 2));
  });
}

TEST(Generate, TablesPermute) {
  std::map<std::uint64_t, std::uint64_t> image;
  for_patterns(make("sbox", {.width = 5, .count = 2}), 8, [&](const Words& in, const Words& out) {
    const auto [at, is_new] = image.emplace(in.at("x0_"), out.at("y0_"));
    EXPECT_EQ(at->second, out.at("y0_"));
  });
  std::vector<std::uint64_t> words;
  for (const auto& [from, to] : image) words.push_back(to);
  std::sort(words.begin(), words.end());
  ASSERT_EQ(words.size(), 32U);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(words[i], i);
}

TEST(Generate, MeshGatesReadNeighbours) {
  const auto netlist = make("mesh", {.width = 20, .count = 400, .seed = 2});
  EXPECT_EQ(netlist.outputs.size(), 20U);
  EXPECT_LE(netlist.gates.size(), 400U);
  EXPECT_GT(netlist.gates.size(), 300U);
}

TEST(Generate, MultiplierMultiplies) {
  for_patterns(make("multiplier", {.width = 11}), 4,
               [](const Words& in, const Words& out) { EXPECT_EQ(out.at("p"), in.at("a") * in.at("b")); });
}

TEST(Generate, DividerDivides) {
  for (const std::uint32_t width : {1U, 5U, 12U}) {
    for_patterns(make("divider", {.width = width}), 8, [](const Words& in, const Words& out) {
      if (in.at("d") == 0) return;
      EXPECT_EQ(out.at("q"), in.at("n") / in.at("d"));
      EXPECT_EQ(out.at("r"), in.at("n") % in.at("d"));
    });
  }
}

TEST(Generate, SquareRootIsTheFloor) {
  for (const std::uint32_t width : {2U, 3U, 8U, 20U}) {
    for_patterns(make("sqrt", {.width = width}), 8, [](const Words& in, const Words& out) {
      const auto root = out.at("q");
      EXPECT_LE(root * root, in.at("a"));
      EXPECT_GT((root + 1) * (root + 1), in.at("a"));
    });
  }
}

TEST(Generate, SineIsGoodToAFewUnits) {
  for (const std::uint32_t width : {8U, 16U, 30U}) {
    const double scale = std::ldexp(1.0, static_cast<int>(width));
    for_patterns(make("sine", {.width = width}), 4, [&](const Words& in, const Words& out) {
      const double angle = static_cast<double>(in.at("z")) / scale * std::numbers::pi / 2;
      EXPECT_NEAR(static_cast<double>(out.at("s")), std::sin(angle) * scale, 4) << in.at("z");
    });
  }
}

TEST(Generate, ComparatorAndMaxCompare) {
  for_patterns(make("comparator", {.width = 3}), 4, [](const Words& in, const Words& out) {
    EXPECT_EQ(out.at("lt") != 0, in.at("a") < in.at("b"));
    EXPECT_EQ(out.at("eq") != 0, in.at("a") == in.at("b"));
    EXPECT_EQ(out.at("gt") != 0, in.at("a") > in.at("b"));
  });
  for_patterns(make("max", {.width = 4, .count = 5}), 8, [](const Words& in, const Words& out) {
    std::vector<std::uint64_t> words;
    words.reserve(5);
    for (std::uint32_t i = 0; i < 5; ++i) words.push_back(in.at(numbered("w", i)));
    const auto largest = std::max_element(words.begin(), words.end());
    EXPECT_EQ(out.at("max"), *largest);
    EXPECT_EQ(out.at("index"), static_cast<std::uint64_t>(largest - words.begin()));
  });
}

TEST(Generate, PriorityFindsTheHighestRequest) {
  for_patterns(make("priority", {.width = 6}), 4, [](const Words& in, const Words& out) {
    const auto requests = in.at("r");
    EXPECT_EQ(out.at("valid"), requests != 0 ? 1U : 0U);
    if (requests != 0) {
      EXPECT_EQ(out.at("index"), static_cast<std::uint64_t>(std::bit_width(requests) - 1));
    }
  });
}

TEST(Generate, DecoderSetsOneLine) {
  const auto netlist = make("decoder", {});
  EXPECT_EQ(netlist.gates.size(), 304U);  // equal to the paper's `dec`
  for_patterns(make("decoder", {.width = 5}), 4, [](const Words& in, const Words& out) {
    EXPECT_EQ(out.at("line"), std::uint64_t{1} << in.at("a"));
  });
}

TEST(Generate, BitonicSorterSorts) {
  for_patterns(make("bitonic", {.width = 2, .count = 16}), 4, [&](const Words& in, const Words& out) {
    std::vector<std::uint64_t> words, sorted;
    for (std::uint32_t i = 0; i < 16; ++i) {
      words.push_back(in.at(numbered("w", i)));
      sorted.push_back(out.at(numbered("s", i)));
    }
    std::sort(words.begin(), words.end());
    EXPECT_EQ(sorted, words);
  });
}

TEST(Generate, SorterSorts) {
  for (const std::uint32_t count : {2U, 5U, 8U, 11U}) {
    for_patterns(make("sorter", {.width = 3, .count = count}), 4, [&](const Words& in, const Words& out) {
      std::vector<std::uint64_t> words;
      std::vector<std::uint64_t> sorted;
      for (std::uint32_t i = 0; i < count; ++i) {
        words.push_back(in.at(numbered("w", i)));
        sorted.push_back(out.at(numbered("s", i)));
      }
      std::sort(words.begin(), words.end());
      EXPECT_EQ(sorted, words);
    });
  }
}

TEST(Generate, CrcDividesByThePolynomial) {
  for_patterns(make("crc", {.width = 40}), 4, [](const Words& in, const Words& out) {
    std::uint32_t crc = static_cast<std::uint32_t>(in.at("state"));
    for (int i = 0; i < 40; ++i) {
      const bool feedback = ((crc >> 31U) & 1U) != ((in.at("d") >> i) & 1U);
      crc = (crc << 1U) ^ (feedback ? 0x04c11db7U : 0U);
    }
    EXPECT_EQ(out.at("next"), crc);
  });
}

TEST(Generate, RandomLogicHasTheRequestedGatesAndFollowsItsSeed) {
  const auto netlist = make("random", {.width = 20, .count = 5000, .seed = 3});
  EXPECT_EQ(netlist.gates.size(), 5000U);
  EXPECT_FALSE(netlist.outputs.empty());
  EXPECT_EQ(netlist.gates, make("random", {.width = 20, .count = 5000, .seed = 3}).gates);
  EXPECT_NE(netlist.gates, make("random", {.width = 20, .count = 5000, .seed = 4}).gates);
}

TEST(Generate, GateLimitsApplyAtEverySize) {
  for (const auto& generator : bench::generators()) {
    for (const std::uint32_t width : {2U, 5U, 11U, 20U}) {
      for (const std::uint32_t count : {2U, 7U, 20U}) {
        if (width < generator.smallest_width || width > generator.largest_width) continue;
        if (generator.name == "decoder" && width > 12) continue;
        const auto netlist = make(generator.name, {.width = width, .count = count});
        EXPECT_LE(netlist.gates.size(), generator.gate_limit(width, count).value())
            << generator.name << ' ' << width;
      }
    }
  }
}

TEST(Generate, ReachesAGivenSize) {
  for (const auto& generator : bench::generators()) {
    if (generator.name == "sine") continue;  // its width is limited
    const auto netlist = bench::generate_of_size(generator.name, 20000, 1);
    ASSERT_TRUE(netlist.ok()) << netlist.error().to_string();
    EXPECT_GE(netlist->gates.size(), 20000U) << generator.name;
    EXPECT_LE(netlist->gates.size(), 42000U) << generator.name;  // a decoder can only double in size
  }
}

TEST(Generate, RefusesInvalidRequests) {
  EXPECT_EQ(bench::generate("ader", {}).error().message, "unknown circuit 'ader' (did you mean 'adder'?)");
  EXPECT_EQ(bench::generate("sine", {.width = 57}).error().message, "sine: width 57 is not between 4 and 56");
  EXPECT_EQ(bench::generate("multiplier", {.width = 5000}).error().message,
            "multiplier: about 75000000 gates requested, expected at most 67108864");
}

// 3 * 2^24 * 2^40 gates are 0 modulo 2^64.
TEST(Generate, RefusesSizesWhoseGatesExceed64Bits) {
  EXPECT_EQ(bench::generate("dot", {.width = 1U << 20U, .count = 1U << 24U}).error().message,
            "dot: about 18446744073709551615 gates requested, expected at most 67108864");
  for (const auto& generator : bench::generators()) {
    if (generator.largest_width < 1U << 24U) continue;
    const auto largest = generator.gate_limit(1U << 24U, 1U << 24U);
    EXPECT_GE(largest, generator.gate_limit(1U << 20U, 1U << 24U)) << generator.name;
    EXPECT_GE(largest, generator.gate_limit(1U << 24U, 1U << 20U)) << generator.name;
  }
}

TEST(Reorder, ShuffledNetlistsComputeTheSame) {
  const auto netlist = make("multiplier", {.width = 8});
  const auto other = simd::shuffled(netlist, 5, true);
  EXPECT_NE(netlist.gates, other.gates);
  EXPECT_EQ(netlist.gates.size(), other.gates.size());
  for (auto node = other.first_gate(); node < other.node_count(); ++node) {
    for (const auto fanin : other.gate(node).fanin) EXPECT_LT(fanin.node(), node);
  }
  EXPECT_TRUE(tests::are_equivalent(netlist, other));
}

}  // namespace
}  // namespace nestor::generate_test
