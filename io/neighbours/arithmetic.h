// Arithmetic in values of files: numbers, inf, + - * / **, parentheses and unary signs, as in
// "1024*1024*128*8" or "1 / (8 * 614e9)". Names and functions are not evaluated.
#pragma once

#include <optional>
#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io::neighbours {

/// Nothing for a text that is no such expression.
std::optional<double> evaluate(std::string_view expression);

/// A scalar's value, at least `low`; inf is allowed.
double read_expression(const Node& node, std::string_view what, double low, Reading& reading);

/// A whole number of bits, lanes, ... within `range`.
Int read_whole(const Node& node, std::string_view what, IntRange range, Reading& reading);

}  // namespace nestor::io::neighbours
