// Evaluator of arithmetic expressions in files of other tools. It supports numbers, inf, + - * / **,
// parentheses, unary signs, max(a, b), min(a, b) and names that the caller defines. Examples:
// "1024*1024*128*8", "1 / (8 * 614e9)". The digits of a number may be grouped (268_435_456), as in YAML 1.1.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace nestor::io {

using NamedValue = std::pair<std::string_view, double>;

/// Evaluates an expression. Returns nothing if the text is not an expression, is longer than 1,000 bytes or
/// nested deeper than 64 levels, uses a name that is not in `names`, or evaluates to NaN.
std::optional<double> evaluate(std::string_view expression, std::span<const NamedValue> names = {});

}  // namespace nestor::io
