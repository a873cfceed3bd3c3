#include "io/onnx/tensor.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/printable.h"

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

std::string printable(std::string text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const bool is_control = (length == 1 && (byte(0) < 0x20 || byte(0) == 0x7f)) ||
                            (length == 2 && byte(0) == 0xc2 && byte(1) < 0xa0);
    if (length == 0 || is_control)
      result += '?';
    else
      result.append(text, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return result;
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
