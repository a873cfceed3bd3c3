// Numbers of a program that no file provides: weights, biases, inputs and tables of a model without data
// (docs/models/chip-program.md, "Seeded data"). They are data, not arithmetic, so both the simulator and the
// reference use these functions. A weight depends on its position in the whole operator, so the pieces of a
// split operator have the same weights as the whole operator.
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

/// Returns element `at` of a network input or of an operator's constant rows.
Int element(Int seed, Int at, Int bits);

/// Returns the table of a function of one element: the results for x from -2^(b - 1) to 2^(b - 1) - 1, where
/// b is `bits_in`, but at most 16.
std::vector<Int> unary_table(std::string_view function, Int bits_in, Int bits_out);

/// Returns the rounded values of (2^16 - 1) * e^(-d / 2^(b - 3)) for each distance d of an element from the
/// largest element, from 0 to 2^b - 1, where b is `bits_in`, but at most 16.
std::vector<Int> softmax_table(Int bits_in);

/// Returns the multiplier and the shift that scale sums of `rows` products of I and W bits to O bits. The
/// sums are assumed to grow with the square root of `rows`.
std::array<Int, 2> requantisation(Int rows, Int bits_in, Int bits_weight, Int bits_out);

}  // namespace nestor::chip_program
