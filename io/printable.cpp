#include "io/printable.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

char32_t code_point(std::string_view text, std::size_t i, std::size_t length) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  if (length == 1) return byte(0);
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) code = code << 6U | (byte(k) & 0x3FU);
  return code;
}

bool is_harmless(char32_t code) {
  if (code == '\t' || code == '\n') return true;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false;
  const bool is_mark = code == 0x61c || code == 0x200e || code == 0x200f;
  const bool is_embedding = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool is_separator = code == 0x2028 || code == 0x2029;
  return !is_mark && !is_embedding && !is_separator;
}

template <typename Escape>
std::string escaped(std::string_view text, const Escape& escape) {
  std::string result;
  std::size_t kept = 0;  // start of the harmless characters before i that are not yet copied
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] >= ' ' && text[i] < 0x7f) {  // the most common case
      ++i;
      continue;
    }
    const auto length = utf8_length(text, i);
    const auto step = length == 0 ? 1 : length;
    if (length == 0 || !is_harmless(code_point(text, i, length))) {
      result += text.substr(kept, i - kept);
      result += length == 0 ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]))
                            : escape(code_point(text, i, length));
      kept = i + step;
    }
    i += step;
  }
  return result.append(text.substr(kept));
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, [](char32_t code) {
    const auto number = static_cast<std::uint32_t>(code);
    return code < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{{{:x}}}", number);
  });
}

std::string printable_json(std::string_view text) {
  return escaped(text,
                 [](char32_t code) { return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code)); });
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const bool overlong = lead == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = lead == 0xEDU && byte(1) > 0x9FU;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const bool outside = (lead == 0xF0U && byte(1) < 0x90U) || (lead == 0xF4U && byte(1) > 0x8FU);
    return continues(1) && continues(2) && continues(3) && !outside ? 4 : 0;
  }
  return 0;
}

}  // namespace nestor::io
