// Numbers in model files.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "base/parse_number.h"
#include "io/lp/lp_model.h"

namespace nestor::io {

/// The whole word as a number (a leading + is fine); nothing if it is none, or too large for a double.
inline std::optional<double> parse_model_number(std::string_view word) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) return std::nullopt;
  }
  const auto value = parse_number<double>(word);
  return value && !std::isnan(*value) ? value : std::nullopt;
}

/// Whether the word is a number, but beyond all that a double can hold.
inline bool is_too_large(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (!is_out_of_range<double>(word)) return false;
  // Numbers too small to be told from 0 are out of range as well; their exponent is negative.
  const auto exponent = word.find_first_of("eE");
  return exponent == std::string_view::npos || word.substr(exponent + 1, 1) != "-";
}

/// Where the files' numbers stand for "no bound", the real thing.
inline double unbounded_beyond(double value) {
  if (value >= infinite_in_files) return simplex::infinity;
  if (value <= -infinite_in_files) return -simplex::infinity;
  return value;
}

}  // namespace nestor::io
