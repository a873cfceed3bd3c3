// Numbers in texts, for all readers: the whole text is the number, without blanks or a leading +. (Abseil's
// SimpleAtoi and SimpleAtod take both, which the formats and options of this project refuse; its StrSplit and
// StrJoin work on a string_view of its own in the packages that this is built with, not on the standard's.)
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

/// Whether the text is a number, but none that `Number` can hold.
template <typename Number>
bool is_out_of_range(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc::result_out_of_range && end == text.data() + text.size();
}

/// The same of hexadecimal digits, without 0x.
template <typename Number>
std::optional<Number> parse_hex(std::string_view digits) {
  Number number{};
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// The byte that two hexadecimal digits at the beginning of the text stand for.
inline std::optional<char> parse_hex_byte(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const auto byte = parse_hex<unsigned>(text.substr(0, 2));
  if (!byte) return std::nullopt;
  return static_cast<char>(*byte);
}

}  // namespace nestor
