// Numbers of a program that no file provides: weights, biases, inputs and tables of a model without data
// (docs/models/chip-program.md, "Seeded data"). They are data, not arithmetic, so the simulator and the
// reference both get them from here. A weight depends on its position in the whole operator, so the pieces of
// a split operator have the same weights as the whole operator.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/checked.h"

namespace nestor::chip_program {

/// Returns the seed of an operator or input with this name.
Int seed_of(std::string_view name);

/// Returns the weight from input `row` of group `group` to output `column`, uniformly distributed over a
/// symmetric range of `bits` bits.
Int weight(Int seed, Int group, Int column, Int row, Int bits);

/// Returns the bias of an output channel whose weights have `bits_weight` bits.
Int bias(Int seed, Int group, Int column, Int bits_weight);

/// Returns element `at` of a network input or of a row of constants.
Int element(Int seed, Int at, Int bits);

/// Returns the table of a function of one element: the results for x = -2^(bits_in - 1) and above, with
/// 2^bits_in entries (at most 2^16).
std::vector<Int> unary_table(std::string_view function, Int bits_in, Int bits_out);

/// Returns the rounded values of (2^16 - 1) * e^(-d / 2^(bits - 3)) for each distance d of an element from
/// the largest element, with 2^bits entries (at most 2^16).
std::vector<Int> softmax_table(Int bits_in);

/// Returns the multiplier and the shift that scale sums of `rows` products of I and W bits to O bits. The
/// sums are assumed to grow with the square root of `rows`.
std::array<Int, 2> requantisation(Int rows, Int bits_in, Int bits_weight, Int bits_out);

}  // namespace nestor::chip_program
