// Number parsing for all readers: the whole text must be one number, without blanks or a leading +. Abseil's
// SimpleAtoi and SimpleAtod accept both, which the formats and options of this project reject.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace nestor {

/// Returns the number, or nothing if the text is not a number or `Number` cannot represent it. A double may
/// be infinite or NaN ("inf", "nan").
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// True if the text is a number that `Number` cannot represent. For an unsigned type, a text with a minus
/// sign is not a number.
template <typename Number>
bool is_out_of_range(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc::result_out_of_range && end == text.data() + text.size();
}

/// Parses hexadecimal digits without 0x, like parse_number().
template <typename Number>
std::optional<Number> parse_hex(std::string_view digits) {
  Number number{};
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// Returns the byte that the first two characters of the text encode in hexadecimal, or nothing if they are
/// not hexadecimal digits.
inline std::optional<char> parse_hex_byte(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const auto byte = parse_hex<unsigned>(text.substr(0, 2));
  if (!byte) return std::nullopt;
  return static_cast<char>(*byte);
}

}  // namespace nestor
