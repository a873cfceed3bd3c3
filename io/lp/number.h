// Parser of numbers in MPS and LP files.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "base/parse_number.h"
#include "io/lp/lp_model.h"

namespace nestor::io {

/// Parses the whole word as a number, with an optional leading +. Returns nothing if the word is not a number
/// or the number is too large for a double.
inline std::optional<double> parse_model_number(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) return std::nullopt;
  }
  const auto value = parse_number<double>(word);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

/// True if the word is a number too large for a double.
inline bool is_too_large(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (!is_out_of_range<double>(word)) return false;
  // Numbers too close to 0 are also out of range; their exponent is negative.
  const auto exponent = word.find_first_of("eE");
  return exponent == std::string_view::npos || word.substr(exponent + 1, 1) != "-";
}

/// Returns infinity with the sign of `value` if files use `value` for "no bound", otherwise `value`.
inline double unbounded_beyond(double value) {
  if (value >= infinite_in_files) return simplex::infinity;
  if (value <= -infinite_in_files) return -simplex::infinity;
  return value;
}

}  // namespace nestor::io
