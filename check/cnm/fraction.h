// Fractions of integers, for times that are never rounded.
#pragma once

#include "check/exact.h"

namespace nestor::check::cnm {

/// `over` / `under`, in lowest terms, with `under` > 0.
struct Fraction {
  Wide over = 0;
  Wide under = 1;

  Fraction() = default;
  Fraction(Wide whole) : over(whole) {}  // NOLINT(google-explicit-constructor): whole numbers are fractions
  Fraction(Wide above, Wide below) {
    if (below <= 0) throw Unreadable("a figure is not positive");
    Wide a = above < 0 ? -above : above, b = below;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    over = above / a;
    under = below / a;
  }
  explicit Fraction(const Decimal& decimal) : Fraction(decimal.digits, power_of_ten(decimal.places)) {}

  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    return {plus(times(a.over, b.under), times(b.over, a.under)), times(a.under, b.under)};
  }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + Fraction(-b.over, b.under); }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    const Fraction left(a.over, b.under), right(b.over, a.under);
    return {times(left.over, right.over), times(left.under, right.under)};
  }
  /// For b > 0.
  friend Fraction operator/(const Fraction& a, const Fraction& b) { return a * Fraction(b.under, b.over); }
  friend bool operator<(const Fraction& a, const Fraction& b) {
    return times(a.over, b.under) < times(b.over, a.under);
  }
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

/// Rounds to the nearest integer, with halves up.
inline Wide nearest(const Fraction& value) {
  const Wide doubled = plus(times(value.over, Wide{2}), value.under), whole = times(value.under, Wide{2});
  return doubled / whole - (doubled % whole < 0 ? 1 : 0);
}

inline long double to_real(const Fraction& value) {
  return static_cast<long double>(value.over) / static_cast<long double>(value.under);
}
inline Wide thousandths(const Fraction& value) { return nearest(value * Fraction(1000)); }

/// The allowed difference between two figures that are equal except for rounding to integers and one part in
/// 10^9.
inline Wide tolerance(Wide figure) { return 1 + figure / 1'000'000'000; }
inline bool agree(Wide said, Wide exact) { return std::max(said - exact, exact - said) <= tolerance(exact); }

}  // namespace nestor::check::cnm
