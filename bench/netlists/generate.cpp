#include "bench/netlists/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/netlists/circuits.h"

namespace nestor::bench {
namespace {

using Gates = GateCount;

constexpr Gates largest_netlist = std::uint64_t{1} << 26U;

Gates log2_ceiling(Gates value) {
  std::uint64_t bits = 1;
  while ((Gates{1} << bits) < value) ++bits;
  return bits;
}

constexpr std::uint32_t any = 1U << 24U;  // only the limit on gates applies

const std::array<Generator, 24> table = {{
    {"adder", "ripple adder of two words of `width` bits", 128, 0, 1, any,
     [](Gates w, Gates) { return 2 * w; }, build_adder},
    {"multiplier", "array multiplier of two words of `width` bits", 64, 0, 1, any,
     [](Gates w, Gates) { return 3 * w * w; }, build_multiplier},
    {"divider", "non-restoring divider of two words of `width` bits: quotient and remainder", 64, 0, 1, any,
     [](Gates w, Gates) { return 3 * (w + 1) * (w + 1); }, build_divider},
    {"sqrt", "integer square root of a word of `width` bits", 128, 0, 2, any,
     [](Gates w, Gates) { return 3 * (w / 2 + 4) * (w / 2 + 4); }, build_square_root},
    {"sine", "CORDIC sine of a fraction of a quarter turn of `width` bits", 24, 0, 4, 56,
     [](Gates w, Gates) { return 8 * (w + 2) * (w + 6) + 2 * w; }, build_sine},
    {"comparator", "less, equal, greater of two words of `width` bits", 128, 0, 1, any,
     [](Gates w, Gates) { return 2 * w + 1; }, build_comparator},
    {"max", "largest of `count` words of `width` bits, and its index", 128, 4, 1, any,
     [](Gates w, Gates n) { return n * (4 * w + 3 * log2_ceiling(n)); }, build_max},
    {"priority", "index of the highest of `width` requests", 128, 0, 2, any,
     [](Gates w, Gates) { return w * (2 + log2_ceiling(w)); }, build_priority},
    {"decoder", "all minterms of `width` bits", 8, 0, 1, 24, [](Gates w, Gates) { return Gates{2} << w; },
     build_decoder},
    {"sorter", "sorting network for `count` words of `width` bits", 8, 16, 1, any,
     [](Gates w, Gates n) { return 7 * w * n * log2_ceiling(n) * log2_ceiling(n); }, build_sorter},
    {"crc", "CRC-32 over `width` bits", 64, 0, 1, any, [](Gates w, Gates) { return 15 * w; }, build_crc},
    {"brent-kung", "Brent-Kung adder of two words of `width` bits", 128, 0, 1, any,
     [](Gates w, Gates) { return 9 * w; }, build_brent_kung},
    {"kogge-stone", "Kogge-Stone adder of two words of `width` bits", 128, 0, 1, any,
     [](Gates w, Gates) { return 3 * w * (1 + log2_ceiling(w)); }, build_kogge_stone},
    {"carry-select", "carry-select adder of two words of `width` bits, in blocks of 8", 128, 0, 1, any,
     [](Gates w, Gates) { return 9 * w; }, build_carry_select},
    {"carry-save", "sum of `count` words of `width` bits in carry-save form", 32, 8, 1, any,
     [](Gates w, Gates n) { return 2 * (w + log2_ceiling(n)) * n; }, build_carry_save},
    {"wallace", "multiplier of two words of `width` bits, added up in columns", 32, 0, 1, any,
     [](Gates w, Gates) { return 3 * w * w + 4 * w; }, build_wallace},
    {"dot", "sum of `count` products of words of `width` bits", 8, 16, 1, any,
     [](Gates w, Gates n) { return 3 * n * w * w + 8 * w; }, build_dot_product},
    {"popcount", "how many of `width` bits are 1", 256, 0, 1, any, [](Gates w, Gates) { return 2 * w + 64; },
     build_population_count},
    {"bitonic", "bitonic sorter for `count` words of `width` bits", 1, 64, 1, any,
     [](Gates w, Gates n) { return 4 * w * n * log2_ceiling(n) * log2_ceiling(n); }, build_bitonic},
    {"parity", "parity of `width` bits", 256, 0, 1, any, [](Gates w, Gates) { return w; }, build_parity},
    {"barrel", "word of `width` bits rotated by another", 64, 0, 2, any,
     [](Gates w, Gates) { return 3 * w * log2_ceiling(w); }, build_barrel},
    {"sbox", "`count` random tables that permute words of `width` bits", 8, 4, 1, 12,
     [](Gates w, Gates n) { return 3 * n * (Gates{1} << w) * w; }, build_sbox},
    {"mesh", "`count` gates in rows of `width`, each reading its neighbours", 64, 2000, 3, any,
     [](Gates w, Gates n) { return n + w; }, build_mesh},
    {"random", "random logic of `count` gates over `width` inputs", 32, 1000, 3, any,
     [](Gates, Gates n) { return n; }, build_random},
}};

io::Result<const Generator*> find_generator(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& generator : table) {
    if (generator.name == name) return &generator;
    names.push_back(generator.name);
  }
  return io::usage_error(fmt::format("unknown circuit '{}'{}", name, io::suggestion(name, names)));
}

bool counts_words(const Generator& generator) { return generator.default_count > 0; }

}  // namespace

std::span<const Generator> generators() { return table; }

io::Result<simd::Netlist> generate(std::string_view name, GeneratorSize size) {
  auto found = find_generator(name);
  if (!found) return found.error();
  const auto& generator = **found;
  if (size.width == 0) size.width = generator.default_width;
  if (size.count == 0) size.count = generator.default_count;
  if (size.width < generator.smallest_width || size.width > generator.largest_width) {
    return io::usage_error(fmt::format("{}: width {} is not between {} and {}", name, size.width,
                                       generator.smallest_width, generator.largest_width));
  }
  if (counts_words(generator) && (size.count < 2 || size.count > any)) {
    return io::usage_error(fmt::format("{}: count {} is not between 2 and {}", name, size.count, any));
  }
  // The limit may exceed 64 bits (dot: 3 * 2^72 gates); it then saturates, so it still exceeds the maximum.
  const auto gates = generator.gate_limit(size.width, size.count);
  if (gates > largest_netlist) {
    return io::usage_error(fmt::format("{}: about {} gates requested, expected at most {}", name,
                                       gates.value(), largest_netlist.value()));
  }
  simd::XmgBuilder builder{std::string(name)};
  generator.build(builder, size);
  return builder.finish();
}

io::Result<simd::Netlist> generate_of_size(std::string_view name, std::uint64_t gates, std::uint64_t seed) {
  auto found = find_generator(name);
  if (!found) return found.error();
  const auto& generator = **found;
  GeneratorSize size;
  size.seed = seed;
  if (name == "random" || name == "mesh") {
    size.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(gates, any));
    size.width = std::clamp<std::uint32_t>(size.count / 16, 16, 4096);
    while (true) {
      auto netlist = generate(name, size);
      if (!netlist || netlist->gates.size() >= gates || size.count == any) return netlist;
      // Some gates are missing because equal gates are created only once.
      const std::uint64_t missing = gates - netlist->gates.size();
      size.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(size.count + missing, any));
    }
  }
  // gate_limit is an upper bound close to the actual number of gates, and grows with the width. The search
  // starts near the first width whose gate_limit reaches `gates`, and increases the width until the netlist
  // has enough gates.
  std::uint32_t width = generator.smallest_width;
  const auto count = generator.default_count;
  while (width < generator.largest_width && generator.gate_limit(width, count) < gates) {
    width = std::max(width + 1, width + width / 64);
  }
  while (true) {
    size.width = std::min(width, generator.largest_width);
    auto netlist = generate(name, size);
    if (!netlist || netlist->gates.size() >= gates || size.width == generator.largest_width) return netlist;
    width = std::max(width + 1, width + width / 32);
  }
}

}  // namespace nestor::bench
