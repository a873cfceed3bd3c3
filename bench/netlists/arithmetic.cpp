#include <cmath>

#include "bench/netlists/circuits.h"
#include "bench/netlists/word_circuits.h"

namespace nestor::bench {

using simd::Signal;
using simd::XmgBuilder;

// s = a + b, with the carry as its last bit.
void build_adder(XmgBuilder& builder, const GeneratorSize& size) {
  const auto a = input_word(builder, "a", size.width);
  const auto b = input_word(builder, "b", size.width);
  auto sum = add(builder, a, b, XmgBuilder::constant(false));
  sum.word.push_back(sum.carry);
  output_word(builder, "s", sum.word);
}

// p = a * b: rows of partial products, each added by a ripple adder.
void build_multiplier(XmgBuilder& builder, const GeneratorSize& size) {
  const auto a = input_word(builder, "a", size.width);
  const auto b = input_word(builder, "b", size.width);
  Word product;
  Word high(size.width, XmgBuilder::constant(false));
  for (const auto factor : b) {
    Word partial;
    for (const auto bit : a) partial.push_back(builder.and2(bit, factor));
    auto sum = add(builder, high, partial, XmgBuilder::constant(false));
    product.push_back(sum.word.front());
    high.assign(sum.word.begin() + 1, sum.word.end());
    high.push_back(sum.carry);
  }
  product.insert(product.end(), high.begin(), high.end());
  output_word(builder, "p", product);
}

// q = n / d and r = n % d by non-restoring division. Each row adds or subtracts d, depending on the sign of
// the remainder so far, which has one bit more than d. A last row makes the remainder non-negative. The
// result of a division by zero is meaningless.
void build_divider(XmgBuilder& builder, const GeneratorSize& size) {
  const auto n = input_word(builder, "n", size.width);
  auto d = input_word(builder, "d", size.width);
  const auto zero = XmgBuilder::constant(false);
  d.push_back(zero);
  Word remainder(d.size(), zero);
  Word quotient(size.width, zero);
  for (std::size_t i = size.width; i-- > 0;) {
    const Signal subtract = !remainder.back();
    remainder.pop_back();
    remainder.insert(remainder.begin(), n[i]);
    remainder = add(builder, remainder, xor_each(builder, d, subtract), subtract).word;
    quotient[i] = !remainder.back();
  }
  const Signal negative = remainder.back();
  Word correction;
  for (const auto bit : d) correction.push_back(builder.and2(bit, negative));
  remainder = add(builder, remainder, correction, zero).word;
  remainder.pop_back();
  output_word(builder, "q", quotient);
  output_word(builder, "r", remainder);
}

// q = floor(sqrt(a)), non-restoring, with two radicand bits per row. With R the remainder and Q the root so
// far, R becomes 4R + bits - (4Q + 1) if R >= 0, and 4R + bits + (4Q + 3) otherwise. The new root bit is R >=
// 0.
void build_square_root(XmgBuilder& builder, const GeneratorSize& size) {
  auto a = input_word(builder, "a", size.width);
  if (a.size() % 2 != 0) a.push_back(XmgBuilder::constant(false));
  const std::size_t root_bits = a.size() / 2;
  Word root;  // least significant bit first; grows at the front
  Word remainder = {XmgBuilder::constant(false)};
  for (std::size_t i = root_bits; i-- > 0;) {
    const Signal subtract = !remainder.back();
    remainder.insert(remainder.begin(), {a[2 * i], a[2 * i + 1]});
    // Both -(4Q + 1) and 4Q + 3 end in the bits 1, 1; above them are ~Q or Q and the sign.
    Word term = {XmgBuilder::constant(true), XmgBuilder::constant(true)};
    for (const auto bit : root) term.push_back(builder.xor2(bit, subtract));
    while (term.size() < remainder.size()) term.push_back(subtract);
    remainder = add(builder, remainder, term, XmgBuilder::constant(false)).word;
    root.insert(root.begin(), !remainder.back());
    // |R| < 2Q + 2, so the remainder needs two bits more than the root (one of them the sign).
    const std::size_t needed = root.size() + 2;
    if (remainder.size() > needed) remainder.resize(needed);
  }
  output_word(builder, "q", root);
}

// s = sin(z * pi / 2) for a fraction z of `width` bits, as a fraction of `width` bits, by CORDIC rotation
// with four guard bits. Accurate to a few units in the last place.
void build_sine(XmgBuilder& builder, const GeneratorSize& size) {
  constexpr std::size_t guard_bits = 4;
  const std::size_t fraction = size.width + guard_bits;
  const std::size_t width = fraction + 2;  // one integer bit and the sign
  const auto fixed = [&](long double value) {
    return static_cast<std::uint64_t>(std::llround(std::ldexp(value, static_cast<int>(fraction))));
  };
  Word angle(guard_bits, XmgBuilder::constant(false));
  for (const auto bit : input_word(builder, "z", size.width)) angle.push_back(bit);
  angle.resize(width, XmgBuilder::constant(false));

  long double gain = 1;
  for (std::size_t i = 0; i < size.width + 2; ++i) {
    gain /= std::sqrt(1 + std::ldexp(1.0L, -2 * static_cast<int>(i)));
  }
  Word x = constant_word(fixed(gain), width);
  Word y = constant_word(0, width);
  const long double quarter_turn = 2 * std::atan(1.0L);
  for (std::size_t i = 0; i < size.width + 2; ++i) {
    const Signal clockwise = angle.back();
    const Signal counter = !clockwise;
    const auto step =
        constant_word(fixed(std::atan(std::ldexp(1.0L, -static_cast<int>(i))) / quarter_turn), width);
    const auto x_step = xor_each(builder, shifted_right(y, i), counter);
    const auto y_step = xor_each(builder, shifted_right(x, i), clockwise);
    angle = add(builder, angle, xor_each(builder, step, counter), counter).word;
    x = add(builder, x, x_step, counter).word;
    y = add(builder, y, y_step, clockwise).word;
  }
  // Values below 0 or of at least 1.0 can only come from rounding; they are clamped to the range of the
  // output.
  const Signal negative = y.back();
  const Signal full = builder.and2(!negative, y[fraction]);
  Word sine;
  for (std::size_t i = guard_bits; i < fraction; ++i) {
    sine.push_back(builder.or2(full, builder.and2(!negative, y[i])));
  }
  output_word(builder, "s", sine);
}

}  // namespace nestor::bench
