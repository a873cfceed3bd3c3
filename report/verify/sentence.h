// Functions that compose the text of a finding from words and numbers. They support 128-bit integers, which
// the standard streams do not.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace nestor::io {

__extension__ using Wide = __int128;

inline void append(std::string& text, std::string_view word) { text += word; }
inline void append(std::string& text, char letter) { text += letter; }
inline void append(std::string& text, Wide number) {
  if (number < 0) {
    text += '-';
    number = -number;
  }
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number != 0);
  text += digits;
}
template <std::integral T>
void append(std::string& text, T number) {
  append(text, static_cast<Wide>(number));
}
/// Appends the fewest digits that distinguish this double from its neighbours.
inline void append(std::string& text, double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
}

template <typename... Words>
std::string sentence(const Words&... words) {
  std::string text;
  (append(text, words), ...);
  return text;
}

}  // namespace nestor::io
