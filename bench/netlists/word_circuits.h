// Building blocks of the generators: circuits on words, least significant bit first.
#pragma once

#include <string_view>
#include <vector>

#include "model/simd/xmg_builder.h"

namespace nestor::bench {

using Word = std::vector<simd::Signal>;

Word input_word(simd::XmgBuilder& builder, std::string_view name, std::size_t width);
void output_word(simd::XmgBuilder& builder, std::string_view name, const Word& word);

struct Sum {
  Word word;
  simd::Signal carry;
};

/// Returns a + b + carry with the width of both words; one xor3 and one maj3 per bit.
Sum add(simd::XmgBuilder& builder, const Word& a, const Word& b, simd::Signal carry);
/// Returns the word with `invert` xor-ed into every bit.
Word xor_each(simd::XmgBuilder& builder, const Word& word, simd::Signal invert);
Word select_word(simd::XmgBuilder& builder, simd::Signal select, const Word& a, const Word& b);
/// Returns a < b for unsigned words; one maj3 per bit.
simd::Signal less(simd::XmgBuilder& builder, const Word& a, const Word& b);
/// Returns the signed `word` divided by 2^shift, with the same width.
Word shifted_right(const Word& word, std::size_t shift);
Word constant_word(std::uint64_t value, std::size_t width);

}  // namespace nestor::bench
