#include "report/results/simd/schedule_names.h"

#include "base/parse_number.h"

namespace nestor::io {

std::string escaped_name(std::string_view name) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte > 0x20 && byte != 0x7f && name[i] != '%' && (i != 0 || name[i] != '#')) {
      word += name[i];
      continue;
    }
    word += '%';
    word += digits[byte >> 4U];
    word += digits[byte & 15U];
  }
  return word;
}

std::string unescaped_name(std::string_view word) {
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto byte = word[i] == '%' ? parse_hex_byte(word.substr(i + 1)) : std::nullopt;
    if (byte) {
      name += *byte;
      i += 2;
    } else {
      name += word[i];
    }
  }
  return name;
}

}  // namespace nestor::io
