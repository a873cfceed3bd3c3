// Generators of adders other than the ripple adder, and of circuits that add columns of partial products,
// bits or words.
#include <fmt/format.h>

#include "bench/netlists/circuits.h"
#include "bench/netlists/word_circuits.h"

namespace nestor::bench {

using simd::Signal;
using simd::XmgBuilder;

namespace {

struct Operands {
  Word a, b;
};

Operands two_words(XmgBuilder& builder, std::size_t width) {
  Operands operands;
  operands.a = input_word(builder, "a", width);
  operands.b = input_word(builder, "b", width);
  return operands;
}

/// Effect of a range of bits on the carry: the range generates a carry, or it propagates the carry from
/// below.
struct Carry {
  Signal generate, propagate;
};

std::vector<Carry> carries_of_bits(XmgBuilder& builder, const Operands& operands) {
  std::vector<Carry> carries;
  for (std::size_t i = 0; i < operands.a.size(); ++i)
    carries.push_back(
        {builder.and2(operands.a[i], operands.b[i]), builder.xor2(operands.a[i], operands.b[i])});
  return carries;
}

Carry joined(XmgBuilder& builder, const Carry& high, const Carry& low) {
  return {builder.or2(high.generate, builder.and2(high.propagate, low.generate)),
          builder.and2(high.propagate, low.propagate)};
}

/// Adds the sum as an output. Needs the propagate signal of each bit and the generate signal of each prefix.
void output_sum(XmgBuilder& builder, const std::vector<Carry>& bits, const std::vector<Carry>& prefixes) {
  Word sum{bits[0].propagate};
  for (std::size_t i = 1; i < bits.size(); ++i)
    sum.push_back(builder.xor2(bits[i].propagate, prefixes[i - 1].generate));
  sum.push_back(prefixes.back().generate);
  output_word(builder, "s", sum);
}

/// Adds up bits by weight. Replaces three bits of a weight with one bit of this weight and one of the next,
/// until each weight has at most two bits.
void output_columns(XmgBuilder& builder, std::vector<Word> columns, std::string_view name) {
  bool reduced = true;
  while (reduced) {
    reduced = false;
    std::vector<Word> next(columns.size() + 1);
    for (std::size_t weight = 0; weight < columns.size(); ++weight) {
      const Word& column = columns[weight];
      std::size_t i = 0;
      for (; i + 3 <= column.size(); i += 3) {
        next[weight].push_back(builder.xor3(column[i], column[i + 1], column[i + 2]));
        next[weight + 1].push_back(builder.maj3(column[i], column[i + 1], column[i + 2]));
        reduced = true;
      }
      for (; i < column.size(); ++i) next[weight].push_back(column[i]);
    }
    while (!next.empty() && next.back().empty()) next.pop_back();
    columns = std::move(next);
  }
  Operands rows;
  for (const Word& column : columns) {
    rows.a.push_back(column.empty() ? XmgBuilder::constant(false) : column[0]);
    rows.b.push_back(column.size() < 2 ? XmgBuilder::constant(false) : column[1]);
  }
  auto sum = add(builder, rows.a, rows.b, XmgBuilder::constant(false));
  sum.word.push_back(sum.carry);
  output_word(builder, name, sum.word);
}

void add_products(XmgBuilder& builder, const Operands& operands, std::vector<Word>& columns) {
  for (std::size_t i = 0; i < operands.a.size(); ++i)
    for (std::size_t k = 0; k < operands.b.size(); ++k)
      columns[i + k].push_back(builder.and2(operands.a[i], operands.b[k]));
}

}  // namespace

void build_brent_kung(XmgBuilder& builder, const GeneratorSize& size) {
  const auto bits = carries_of_bits(builder, two_words(builder, size.width));
  auto prefixes = bits;
  std::size_t step = 1;
  for (; step < bits.size(); step *= 2)
    for (std::size_t i = 2 * step - 1; i < bits.size(); i += 2 * step)
      prefixes[i] = joined(builder, prefixes[i], prefixes[i - step]);
  for (; step >= 1; step /= 2)
    for (std::size_t i = 3 * step - 1; i < bits.size(); i += 2 * step)
      prefixes[i] = joined(builder, prefixes[i], prefixes[i - step]);
  output_sum(builder, bits, prefixes);
}

void build_kogge_stone(XmgBuilder& builder, const GeneratorSize& size) {
  const auto bits = carries_of_bits(builder, two_words(builder, size.width));
  auto prefixes = bits;
  for (std::size_t step = 1; step < bits.size(); step *= 2)
    for (std::size_t i = bits.size(); i-- > step;)
      prefixes[i] = joined(builder, prefixes[i], prefixes[i - step]);
  output_sum(builder, bits, prefixes);
}

/// Adds in blocks of eight bits. Each block computes its sum for both values of its carry, which then selects
/// one.
void build_carry_select(XmgBuilder& builder, const GeneratorSize& size) {
  constexpr std::size_t block = 8;
  const auto [a, b] = two_words(builder, size.width);
  Word sum;
  Signal carry = XmgBuilder::constant(false);
  for (std::size_t first = 0; first < a.size(); first += block) {
    const auto part = [&](const Word& word) {
      const std::size_t last = std::min(word.size(), first + block);
      return Word(word.begin() + static_cast<std::ptrdiff_t>(first),
                  word.begin() + static_cast<std::ptrdiff_t>(last));
    };
    const auto without = add(builder, part(a), part(b), XmgBuilder::constant(false));
    const auto with = add(builder, part(a), part(b), XmgBuilder::constant(true));
    const Word chosen = select_word(builder, carry, with.word, without.word);
    sum.insert(sum.end(), chosen.begin(), chosen.end());
    carry = builder.mux(carry, with.carry, without.carry);
  }
  sum.push_back(carry);
  output_word(builder, "s", sum);
}

void build_carry_save(XmgBuilder& builder, const GeneratorSize& size) {
  std::vector<Word> columns(size.width);
  for (std::uint32_t word = 0; word < size.count; ++word) {
    const auto bits = input_word(builder, fmt::format("w{}_", word), size.width);
    for (std::size_t i = 0; i < bits.size(); ++i) columns[i].push_back(bits[i]);
  }
  output_columns(builder, std::move(columns), "s");
}

void build_wallace(XmgBuilder& builder, const GeneratorSize& size) {
  std::vector<Word> columns(std::size_t{2} * size.width);
  add_products(builder, two_words(builder, size.width), columns);
  output_columns(builder, std::move(columns), "p");
}

void build_dot_product(XmgBuilder& builder, const GeneratorSize& size) {
  std::vector<Operands> pairs(size.count);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].a = input_word(builder, fmt::format("a{}_", i), size.width);
    pairs[i].b = input_word(builder, fmt::format("b{}_", i), size.width);
  }
  std::vector<Word> columns(std::size_t{2} * size.width);
  for (const Operands& pair : pairs) add_products(builder, pair, columns);
  output_columns(builder, std::move(columns), "s");
}

void build_population_count(XmgBuilder& builder, const GeneratorSize& size) {
  output_columns(builder, {input_word(builder, "x", size.width)}, "s");
}

}  // namespace nestor::bench
