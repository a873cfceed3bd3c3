// The numbers a program works on that no file holds: weights, biases, inputs and tables of a model without
// data (docs/models/chip-program.md, "Seeded data"). They are data, not arithmetic: simulator and reference
// both take them from here. A weight depends on its place in the whole operator, so that pieces of a split
// operator hold what the whole would.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/checked.h"

namespace nestor::chip_program {

/// A seed for an operator or input of this name.
Int seed_of(std::string_view name);

/// The weight that input `row` of group `group` has in output `column`: symmetric, `bits` wide.
Int weight(Int seed, Int group, Int column, Int row, Int bits);

/// Added to the sums of an output channel whose weights have so many bits.
Int bias(Int seed, Int group, Int column, Int bits_weight);

/// Element `at` of a network input or a row of constants.
Int element(Int seed, Int at, Int bits);

/// A function of one element: what x = -2^(bits_in - 1) .. gives, 2^bits_in entries (at most 2^16).
std::vector<Int> unary_table(std::string_view function, Int bits_in, Int bits_out);

/// 2^16 * e^(-d / 2^(bits - 3)) for the distance d of an element from the largest: 2^bits entries.
std::vector<Int> softmax_table(Int bits_in);

/// Multiplier and shift that bring sums of `rows` products of I by W bits to O bits: they grow with the root
/// of `rows`.
std::array<Int, 2> requantisation(Int rows, Int bits_in, Int bits_weight, Int bits_out);

}  // namespace nestor::chip_program
