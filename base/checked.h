// Overflow-checked 64-bit integers. Sizes and counts are multiplied through these where inputs meet; inside a
// model whose input passed its door check, plain arithmetic is safe and the check is written beside the door.
#pragma once

#include <cstdint>
#include <optional>

namespace nestor {

using Int = std::int64_t;

/// a * b, or nothing if it does not fit.
constexpr std::optional<Int> checked_multiply(Int a, Int b) {
  Int product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// a + b, or nothing if it does not fit.
constexpr std::optional<Int> checked_add(Int a, Int b) {
  Int sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// ceil(a / b) for a >= 0, b > 0; never overflows.
constexpr Int ceil_divide(Int a, Int b) { return a / b + static_cast<Int>(a % b != 0); }

}  // namespace nestor
