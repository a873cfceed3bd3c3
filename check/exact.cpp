#include "check/exact.h"

#include <algorithm>

namespace nestor::check {

Wide power_of_ten(int digits) {
  Wide power = 1;
  for (int i = 0; i < digits; ++i) power = times(power, Wide{10});
  return power;
}

Wide Decimal::in_units(int places) const {
  const int shift = exponent + places;
  if (shift >= 0) return digits == 0 ? 0 : times(digits, power_of_ten(shift));
  return shift < -38 ? 0 : digits / power_of_ten(-shift);
}

Decimal parse_decimal(std::string_view text) {
  Decimal decimal;
  const std::string given(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool behind_point = false;
  bool any = false;
  while (!text.empty() && text.front() != 'e' && text.front() != 'E') {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '.' && !behind_point) {
      behind_point = true;
      continue;
    }
    if (c < '0' || c > '9') throw Unreadable("'" + given + "' is not a number");
    any = true;
    decimal.digits = plus(times(decimal.digits, Wide{10}), Wide{c - '0'});
    if (behind_point) --decimal.exponent;
  }
  if (!any) throw Unreadable("'" + given + "' is not a number");
  if (!text.empty()) decimal.exponent += std::stoi(std::string(text.substr(1)));
  while (decimal.digits != 0 && decimal.digits % 10 == 0 && decimal.exponent < 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  if (decimal.digits == 0) decimal.exponent = 0;
  if (negative) decimal.digits = -decimal.digits;
  return decimal;
}

std::string to_text(Wide value, int places) {
  const bool negative = value < 0;
  if (negative) value = -value;
  std::string text;
  for (int i = 0; value != 0 || i <= places; ++i) {
    if (i == places && places > 0) text += '.';
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  }
  if (negative) text += '-';
  std::reverse(text.begin(), text.end());
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

}  // namespace nestor::check
