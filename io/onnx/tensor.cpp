#include "io/onnx/tensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::io::onnx_import {

bool fully_known(const Shape& shape) {
  return std::none_of(shape.begin(), shape.end(), [](Int extent) { return extent == unknown_dim; });
}

std::optional<Int> element_count(const Shape& shape) {
  if (!fully_known(shape)) return std::nullopt;
  if (std::find(shape.begin(), shape.end(), Int{0}) != shape.end()) return 0;
  Int count = 1;
  for (const Int extent : shape) {
    const auto product = checked_multiply(count, extent);
    if (!product) return std::nullopt;
    count = *product;
  }
  return count;
}

namespace {

template <typename Print>
std::string bracketed(const std::vector<Int>& values, Print print) {
  constexpr std::size_t shown = 16;  // a malicious rank must not fill the screen
  std::string text = "[";
  for (std::size_t i = 0; i < values.size() && i < shown; ++i) {
    if (i > 0) text += ", ";
    text += print(values[i]);
  }
  return text + (values.size() > shown ? ", ...]" : "]");
}

}  // namespace

std::string list_text(const std::vector<Int>& values) {
  return bracketed(values, [](Int value) { return fmt::format("{}", value); });
}

std::string to_string(const Shape& shape) {
  return bracketed(shape, [](Int extent) { return extent == unknown_dim ? "?" : fmt::format("{}", extent); });
}

namespace {

// Returns the length in bytes of the UTF-8 sequence at `at`, or 0 if the bytes do not have the form of one.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(at) < 0x80                        ? 1
                             : byte(at) >= 0xc2 && byte(at) <= 0xdf ? 2
                             : byte(at) >= 0xe0 && byte(at) <= 0xef ? 3
                             : byte(at) >= 0xf0 && byte(at) <= 0xf4 ? 4
                                                                    : 0;
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0 || first < 0x20 || first == 0x7f) text[at] = '?';
    at += std::max<std::size_t>(length, 1);
  }
  return text;
}

std::optional<Int> quantised_bits(std::int32_t type) {
  switch (type) {
    case bool_type:
      return 1;
    case uint2_type:
    case int2_type:
      return 2;
    case uint4_type:
    case int4_type:
    case float4e2m1_type:
      return 4;
    case uint8_type:
    case int8_type:
    case float8e8m0_type:
      return 8;
    case uint16_type:
    case int16_type:
      return 16;
    case int32_type:
    case uint32_type:
      return 32;
    case int64_type:
    case uint64_type:
      return 64;
    default:
      if (type >= float8e4m3fn_type && type <= float8e5m2fnuz_type) return 8;
      return std::nullopt;
  }
}

}  // namespace nestor::io::onnx_import
