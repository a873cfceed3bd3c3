// Numbers that are never rounded. Energies are integers, in units of the last decimal that any figure of the
// machine has; what does not fit 63 or 127 bits is an error, not another number.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nestor::check {

using Int = std::int64_t;
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): only a typedef takes __extension__

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("its numbers are too large to be checked exactly") {}
};

template <typename A, typename B, typename... More>
auto plus(A a, B b, More... more) {
  std::common_type_t<A, B> sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw TooLarge();
  if constexpr (sizeof...(more) == 0)
    return sum;
  else
    return plus(sum, more...);
}
template <typename A, typename B, typename... More>
auto times(A a, B b, More... more) {
  std::common_type_t<A, B> product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw TooLarge();
  if constexpr (sizeof...(more) == 0)
    return product;
  else
    return times(product, more...);
}
/// a / b rounded up, for a >= 0 and b > 0.
inline Int ceiling(Int a, Int b) { return a / b + (a % b != 0 ? 1 : 0); }

inline Wide power_of_ten(int digits) {
  Wide power = 1;
  for (int i = 0; i < digits; ++i) power = times(power, 10);
  return power;
}

/// A decimal number as it is written: `digits / 10^places`. Claims hold to one part in 10^9.
struct Decimal {
  Wide digits = 0;
  int places = 0;
  /// How many of `1 / unit` it is; what is smaller is cut off.
  Wide in(Wide unit) const { return times(digits, unit) / power_of_ten(places); }
  /// The least and the most that agree with it, in the same units.
  Wide least(Wide unit) const {
    const Wide number = times(digits, unit);
    return plus(number - number / 1'000'000'000, power_of_ten(places) - 1) / power_of_ten(places);
  }
  Wide most(Wide unit) const {
    const Wide number = times(digits, unit);
    return plus(number, number / 1'000'000'000) / power_of_ten(places);
  }
};
inline Decimal parse_decimal(const std::string& text) {
  auto digits = text.substr(0, text.find_first_of("eE"));
  int places = digits.size() < text.size() ? -std::stoi(text.substr(digits.size() + 1)) : 0;
  if (const auto point = digits.find('.'); point != std::string::npos) {
    digits.erase(point, 1);
    places += static_cast<int>(digits.size() - point);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    throw Unreadable("'" + text + "' is not a number from 0");
  Wide number = 0;
  for (const char digit : digits) number = plus(times(number, 10), digit - '0');
  return places < 0 ? Decimal{times(number, power_of_ten(-places)), 0} : Decimal{number, places};
}

/// For messages.
inline std::string to_text(Wide value, Wide unit = 1) {
  char text[64];
  std::snprintf(text, sizeof text, "%.15Lg",
                static_cast<long double>(value) / static_cast<long double>(unit));
  return text;
}

}  // namespace nestor::check
