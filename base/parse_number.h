// Numbers in texts, for all readers: the whole text is the number, without blanks or a leading +. (Abseil's
// SimpleAtoi and SimpleAtod take both, which the formats and options of this project refuse.)
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace nestor {

/// Nothing if the text is no number or one that `Number` cannot hold. A double may come out infinite or NaN:
/// "inf", "nan".
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace nestor
