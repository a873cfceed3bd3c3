// Generators of parity trees, shifters, lookup tables and planar logic.
#include <fmt/format.h>

#include <numeric>

#include "base/random.h"
#include "bench/netlists/circuits.h"
#include "bench/netlists/word_circuits.h"

namespace nestor::bench {

using simd::Signal;
using simd::XmgBuilder;

namespace {

/// Returns the function of `bits` with this truth table. The last bit selects one of two halves; equal halves
/// are shared.
Signal by_table(XmgBuilder& builder, const Word& bits, std::span<const std::uint8_t> table) {
  if (table.size() == 1) return XmgBuilder::constant(table[0] != 0);
  const std::size_t half = table.size() / 2;
  const Word rest(bits.begin(), bits.end() - 1);
  const Signal low = by_table(builder, rest, table.first(half));
  const Signal high = by_table(builder, rest, table.subspan(half));
  return builder.mux(bits.back(), high, low);
}

}  // namespace

void build_parity(XmgBuilder& builder, const GeneratorSize& size) {
  Word level = input_word(builder, "x", size.width);
  while (level.size() > 1) {
    Word next;
    for (std::size_t i = 0; i < level.size(); i += 3) {
      const auto at = [&](std::size_t k) {
        return k < level.size() ? level[k] : XmgBuilder::constant(false);
      };
      next.push_back(builder.xor3(at(i), at(i + 1), at(i + 2)));
    }
    level = std::move(next);
  }
  builder.output("parity", level[0]);
}

/// Rotates the word x by n places, with one stage per bit of n.
void build_barrel(XmgBuilder& builder, const GeneratorSize& size) {
  std::size_t stages = 1;
  while ((std::size_t{1} << stages) < size.width) ++stages;
  Word word = input_word(builder, "x", size.width);
  const Word amount = input_word(builder, "n", stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    Word rotated(word.size());
    for (std::size_t i = 0; i < word.size(); ++i)
      rotated[(i + (std::size_t{1} << stage)) % word.size()] = word[i];
    word = select_word(builder, amount[stage], rotated, word);
  }
  output_word(builder, "y", word);
}

/// Builds `count` tables with inputs and outputs of `width` bits; each is a random permutation of all words.
void build_sbox(XmgBuilder& builder, const GeneratorSize& size) {
  Random random(size.seed);
  const std::size_t words = std::size_t{1} << size.width;
  std::vector<Word> inputs;
  for (std::uint32_t box = 0; box < size.count; ++box)
    inputs.push_back(input_word(builder, fmt::format("x{}_", box), size.width));
  for (std::uint32_t box = 0; box < size.count; ++box) {
    std::vector<std::uint32_t> image(words);
    std::iota(image.begin(), image.end(), 0U);
    for (std::size_t i = words; i > 1; --i) std::swap(image[i - 1], image[random.below(i)]);
    Word result;
    for (std::uint32_t bit = 0; bit < size.width; ++bit) {
      std::vector<std::uint8_t> table(words);
      for (std::size_t i = 0; i < words; ++i) table[i] = static_cast<std::uint8_t>(image[i] >> bit & 1U);
      result.push_back(by_table(builder, inputs[box], table));
    }
    output_word(builder, fmt::format("y{}_", box), result);
  }
}

/// Builds rows of `width` cells, with at least `count` cells in total. Each cell is a random gate on the
/// nearby cells of the previous row, so all connections are local. The last row is the output.
void build_mesh(XmgBuilder& builder, const GeneratorSize& size) {
  Random random(size.seed);
  Word row = input_word(builder, "x", size.width);
  for (std::uint64_t made = 0; made < size.count; made += size.width) {
    Word next;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Signal left = row[i == 0 ? 0 : i - 1];
      const Signal right = row[std::min(i + 1, row.size() - 1)];
      const Signal middle = random.below(2) == 0 ? row[i] : !row[i];
      next.push_back(random.below(2) == 0 ? builder.xor3(left, middle, right)
                                          : builder.maj3(left, middle, right));
    }
    row = std::move(next);
  }
  output_word(builder, "y", row);
}

}  // namespace nestor::bench
