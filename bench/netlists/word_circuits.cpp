#include "bench/netlists/word_circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace nestor::bench {

using simd::Signal;
using simd::XmgBuilder;

namespace {

std::string bit_name(std::string_view name, std::size_t bit) { return fmt::format("{}{}", name, bit); }

}  // namespace

Word input_word(XmgBuilder& builder, std::string_view name, std::size_t width) {
  Word word;
  for (std::size_t i = 0; i < width; ++i) word.push_back(builder.input(bit_name(name, i)));
  return word;
}

void output_word(XmgBuilder& builder, std::string_view name, const Word& word) {
  for (std::size_t i = 0; i < word.size(); ++i) builder.output(bit_name(name, i), word[i]);
}

Sum add(XmgBuilder& builder, const Word& a, const Word& b, Signal carry) {
  Sum sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum.word.push_back(builder.xor3(a[i], b[i], carry));
    carry = builder.maj3(a[i], b[i], carry);
  }
  sum.carry = carry;
  return sum;
}

Word xor_each(XmgBuilder& builder, const Word& word, Signal invert) {
  Word result;
  for (const auto bit : word) result.push_back(builder.xor2(bit, invert));
  return result;
}

Word select_word(XmgBuilder& builder, Signal select, const Word& a, const Word& b) {
  Word result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(builder.mux(select, a[i], b[i]));
  return result;
}

// Returns the borrow of a - b.
Signal less(XmgBuilder& builder, const Word& a, const Word& b) {
  Signal borrow = XmgBuilder::constant(false);
  for (std::size_t i = 0; i < a.size(); ++i) borrow = builder.maj3(!a[i], b[i], borrow);
  return borrow;
}

Word shifted_right(const Word& word, std::size_t shift) {
  Word result;
  for (std::size_t i = 0; i < word.size(); ++i) result.push_back(word[std::min(i + shift, word.size() - 1)]);
  return result;
}

Word constant_word(std::uint64_t value, std::size_t width) {
  Word word;
  for (std::size_t i = 0; i < width; ++i) {
    word.push_back(XmgBuilder::constant(i < 64 && ((value >> i) & 1U) != 0));
  }
  return word;
}

}  // namespace nestor::bench
