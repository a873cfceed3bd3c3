#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "bench/netlists/circuits.h"
#include "bench/netlists/word_circuits.h"

namespace nestor::bench {

using simd::Signal;
using simd::XmgBuilder;

namespace {

std::vector<Word> input_words(XmgBuilder& builder, const GeneratorSize& size) {
  std::vector<Word> words;
  words.reserve(size.count);
  for (std::uint32_t i = 0; i < size.count; ++i) {
    words.push_back(input_word(builder, fmt::format("w{}_", i), size.width));
  }
  return words;
}

// Returns all minterms of some bits: the products of the minterms of their two halves.
std::vector<Signal> minterms(XmgBuilder& builder, const Word& bits) {
  if (bits.size() == 1) return {!bits[0], bits[0]};
  const auto middle = bits.begin() + static_cast<std::ptrdiff_t>(bits.size() / 2);
  const auto low = minterms(builder, Word(bits.begin(), middle));
  const auto high = minterms(builder, Word(middle, bits.end()));
  std::vector<Signal> result;
  for (const auto h : high) {
    for (const auto l : low) result.push_back(builder.and2(h, l));
  }
  return result;
}

void compare_exchange(XmgBuilder& builder, Word& a, Word& b) {
  if (a.size() == 1) {
    const Signal smaller_bit = builder.and2(a[0], b[0]);
    b[0] = builder.or2(a[0], b[0]);
    a[0] = smaller_bit;
    return;
  }
  const Signal swap = less(builder, b, a);
  const auto smaller = select_word(builder, swap, b, a);
  b = select_word(builder, swap, a, b);
  a = smaller;
}

}  // namespace

void build_comparator(XmgBuilder& builder, const GeneratorSize& size) {
  const auto a = input_word(builder, "a", size.width);
  const auto b = input_word(builder, "b", size.width);
  const Signal below = less(builder, a, b);
  const Signal above = less(builder, b, a);
  builder.output("lt", below);
  builder.output("eq", builder.and2(!below, !above));
  builder.output("gt", above);
}

// Outputs the largest word and its index, with the least significant bit first. If several words are largest,
// selects the first of them.
void build_max(XmgBuilder& builder, const GeneratorSize& size) {
  struct Candidate {
    Word word;
    Word index;
  };
  std::size_t index_bits = 1;
  while ((std::size_t{1} << index_bits) < size.count) ++index_bits;
  std::vector<Candidate> candidates;
  for (auto& word : input_words(builder, size)) {
    candidates.push_back({std::move(word), constant_word(candidates.size(), index_bits)});
  }
  while (candidates.size() > 1) {
    std::vector<Candidate> winners;
    for (std::size_t i = 0; i + 1 < candidates.size(); i += 2) {
      const auto& [word, index] = candidates[i];
      const auto& [other_word, other_index] = candidates[i + 1];
      const Signal other = less(builder, word, other_word);
      winners.push_back(
          {select_word(builder, other, other_word, word), select_word(builder, other, other_index, index)});
    }
    if (candidates.size() % 2 != 0) winners.push_back(std::move(candidates.back()));
    candidates = std::move(winners);
  }
  output_word(builder, "max", candidates.front().word);
  output_word(builder, "index", candidates.front().index);
}

// Outputs the highest index of an input that is 1, and a bit that is 1 if there is such an input.
void build_priority(XmgBuilder& builder, const GeneratorSize& size) {
  const auto request = input_word(builder, "r", size.width);
  std::size_t index_bits = 1;
  while ((std::size_t{1} << index_bits) < size.width) ++index_bits;
  Word index(index_bits, XmgBuilder::constant(false));
  Signal higher = XmgBuilder::constant(false);
  for (std::size_t i = request.size(); i-- > 0;) {
    const Signal granted = builder.and2(request[i], !higher);
    for (std::size_t bit = 0; bit < index_bits; ++bit) {
      if (((i >> bit) & 1U) != 0) index[bit] = builder.or2(index[bit], granted);
    }
    higher = builder.or2(higher, request[i]);
  }
  output_word(builder, "index", index);
  builder.output("valid", higher);
}

void build_decoder(XmgBuilder& builder, const GeneratorSize& size) {
  output_word(builder, "line", minterms(builder, input_word(builder, "a", size.width)));
}

// Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M), which sorts any number of words.
void build_sorter(XmgBuilder& builder, const GeneratorSize& size) {
  auto words = input_words(builder, size);
  const std::size_t n = words.size();
  std::size_t top = 1;
  while (top * 2 < n) top *= 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top;
    std::size_t r = 0;
    std::size_t d = p;
    while (true) {
      for (std::size_t i = 0; i + d < n; ++i) {
        if ((i & p) == r) compare_exchange(builder, words[i], words[i + d]);
      }
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  for (std::size_t i = 0; i < n; ++i) output_word(builder, fmt::format("s{}_", i), words[i]);
}

// Batcher's bitonic sorter. The number of words is the largest power of two up to `count`.
void build_bitonic(XmgBuilder& builder, const GeneratorSize& size) {
  GeneratorSize rounded = size;
  rounded.count = 1;
  while (rounded.count * 2 <= size.count) rounded.count *= 2;
  auto words = input_words(builder, rounded);
  const std::size_t n = words.size();
  for (std::size_t block = 2; block <= n; block *= 2)
    for (std::size_t distance = block / 2; distance > 0; distance /= 2)
      for (std::size_t i = 0; i < n; ++i)
        if (const std::size_t other = i ^ distance; other > i) {
          const bool rises = (i & block) == 0;
          compare_exchange(builder, words[rises ? i : other], words[rises ? other : i]);
        }
  for (std::size_t i = 0; i < n; ++i) output_word(builder, fmt::format("s{}_", i), words[i]);
}

// CRC-32 (IEEE 802.3, not reflected): one step per data bit, from a given state.
void build_crc(XmgBuilder& builder, const GeneratorSize& size) {
  constexpr std::uint32_t polynomial = 0x04c11db7;
  constexpr std::size_t state_bits = 32;
  auto state = input_word(builder, "state", state_bits);
  for (const auto bit : input_word(builder, "d", size.width)) {
    const Signal out = state.back();
    for (std::size_t i = state_bits - 1; i > 0; --i) {
      state[i] = ((polynomial >> i) & 1U) != 0 ? builder.xor3(state[i - 1], out, bit) : state[i - 1];
    }
    state[0] = builder.xor2(out, bit);
  }
  output_word(builder, "next", state);
}

// Builds gates of both kinds. Most fanins are among the last 64 signals, so that the netlist is deep; the
// other fanins are any earlier signals or constants. Every gate without a reader is an output.
void build_random(XmgBuilder& builder, const GeneratorSize& size) {
  Random random(size.seed);
  std::vector<Signal> signals = input_word(builder, "x", size.width);
  std::vector<std::uint32_t> readers(signals.size() + 1, 0);
  const auto pick = [&] {
    constexpr std::uint64_t window = 64;
    const auto pool = random.below(8) == 0 ? signals.size() : std::min<std::uint64_t>(window, signals.size());
    const auto signal = signals[signals.size() - 1 - random.below(pool)];
    return random.below(2) == 0 ? signal : !signal;
  };
  for (std::uint64_t tries = 0; builder.gate_count() < size.count && tries < 16ULL * size.count; ++tries) {
    const auto before = builder.gate_count();
    const auto a = pick();
    const auto b = pick();
    const auto c = random.below(4) == 0 ? XmgBuilder::constant(random.below(2) == 0) : pick();
    const auto result = random.below(2) == 0 ? builder.xor3(a, b, c) : builder.maj3(a, b, c);
    if (builder.gate_count() == before) continue;
    signals.emplace_back(result.node(), false);
    readers.push_back(0);
    for (const auto fanin : {a, b, c}) ++readers[fanin.node()];
  }
  std::size_t outputs = 0;
  for (std::size_t i = size.width; i < signals.size(); ++i) {
    if (readers[signals[i].node()] == 0) builder.output(fmt::format("y{}", outputs++), signals[i]);
  }
}

}  // namespace nestor::bench
