// Exact numbers, verdicts and texts for messages, used by all readers of results. Energies are integers, in
// units of the last decimal place of the machine's figures. A value that does not fit 63 or 127 bits is an
// error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nestor::check {

using Int = std::int64_t;
using Json = nlohmann::ordered_json;
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): only a typedef takes __extension__

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("its numbers are too large for exact arithmetic") {}
};

inline const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Unreadable(std::string("it has no key '") + key + "'");
  return *found;
}

template <typename... Numbers>
auto plus(Numbers... numbers) {
  std::common_type_t<Numbers...> sum = 0;
  if ((__builtin_add_overflow(sum, numbers, &sum) || ...)) throw TooLarge();
  return sum;
}
template <typename... Numbers>
auto times(Numbers... numbers) {
  std::common_type_t<Numbers...> product = 1;
  if ((__builtin_mul_overflow(product, numbers, &product) || ...)) throw TooLarge();
  return product;
}
/// Returns a / b rounded up, for b > 0.
template <typename Number>
Number ceiling(Number a, Number b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

inline Wide power_of_ten(int digits) {
  Wide power = 1;
  for (int i = 0; i < digits; ++i) power = times(power, 10);
  return power;
}

/// A decimal number as written: `digits / 10^places`. Claims are compared within one part in 10^9.
struct Decimal {
  Wide digits = 0;
  int places = 0;
  /// Returns the number in units of `1 / unit`, truncated. Throws Unreadable if it is negative.
  Wide in(Wide unit) const {
    if (digits < 0) throw Unreadable("a figure is negative");
    const Wide own = power_of_ten(places);
    return unit % own == 0 ? times(digits, unit / own) : times(digits, unit) / own;
  }
  /// Return the smallest and the largest integer that agree with the number, in units of `1 / unit`.
  Wide least(Wide unit) const {
    const Wide number = times(digits, unit);
    return ceiling(number - std::max(number, -number) / 1'000'000'000, power_of_ten(places));
  }
  Wide most(Wide unit) const { return -Decimal{-digits, places}.least(unit); }
};
inline Decimal parse_decimal(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t power = std::min(text.find_first_of("eE"), text.size());
  auto digits = text.substr(sign, power - sign);
  int places = power < text.size() ? -std::clamp(std::stoi(text.substr(power + 1)), -9999, 9999) : 0;
  if (const auto point = digits.find('.'); point != std::string::npos) {
    digits.erase(point, 1);
    places += static_cast<int>(digits.size() - point);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    throw Unreadable("'" + text + "' is not a number");
  Wide number = 0;
  for (const char digit : digits) number = plus(times(number, 10), sign != 0 ? '0' - digit : digit - '0');
  return places < 0 ? Decimal{times(number, power_of_ten(-places)), 0} : Decimal{number, places};
}

/// Returns a number exactly as written, if it has at most 15 digits: JSON numbers are stored as the nearest
/// double, whose shortest text then is the written number.
inline Decimal decimal_of(const Json& number) {
  if (!number.is_number()) throw Unreadable("a value is not a number");
  return parse_decimal(number.dump());
}
/// Returns the largest number of decimal places of the numbers in a value.
inline int most_places(const Json& figures) {
  if (figures.is_number()) return decimal_of(figures).places;
  int most = 0;
  if (figures.is_structured())
    for (const Json& part : figures) most = std::max(most, most_places(part));
  return most;
}

/// A word ("verified", "REFUTED", "not proved" or "not checked") and a sentence.
struct Verdict {
  std::string word;
  std::string sentence;
};

/// Formats a number for messages.
inline std::string to_text(Wide value, Wide unit = 1) {
  char out[64];
  std::snprintf(out, sizeof out, "%.15Lg", static_cast<long double>(value) / static_cast<long double>(unit));
  return out;
}
/// Makes foreign text safe for a terminal by escaping everything except plain ASCII.
inline std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}
inline std::string harmless(const std::string& text) {
  const auto safe = quoted(text);
  return safe.substr(1, safe.size() - 2);
}

}  // namespace nestor::check
