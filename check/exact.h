// Numbers that are never rounded. Energies are kept as integers, in units of the last decimal that any figure
// of the machine has; what does not fit 127 bits is an error, not another number.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nestor::check {

using Int = std::int64_t;
__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): only a typedef takes __extension__

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("its numbers are too large to be checked exactly") {}
};

template <typename T>
T plus(T a, T b) {
  T sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw TooLarge();
  return sum;
}
template <typename T>
T times(T a, T b) {
  T product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw TooLarge();
  return product;
}
inline Wide wide_times(Int a, Wide b) { return times(Wide{a}, b); }
/// a / b rounded up, for a >= 0 and b > 0.
inline Int ceiling(Int a, Int b) { return a / b + (a % b != 0 ? 1 : 0); }

Wide power_of_ten(int digits);

/// A decimal number as it is written: `digits * 10^exponent`.
struct Decimal {
  Wide digits = 0;
  int exponent = 0;
  /// Digits behind the point.
  int places() const { return exponent < 0 ? -exponent : 0; }
  /// In units of 10^-places; what is smaller is cut off.
  Wide in_units(int places) const;
};
Decimal parse_decimal(std::string_view text);

/// For messages, in units of 10^-places.
std::string to_text(Wide value, int places = 0);

}  // namespace nestor::check
