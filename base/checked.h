// Overflow-checked 64-bit integer arithmetic. Code that handles unchecked inputs multiplies sizes and counts
// with these functions. Inside a model, an admission check at its entry has already bounded the input, so
// plain arithmetic is safe.
#pragma once

#include <cstdint>
#include <optional>

namespace nestor {

using Int = std::int64_t;

/// Returns a * b, or nothing if it does not fit.
constexpr std::optional<Int> checked_multiply(Int a, Int b) {
  Int product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// Returns a + b, or nothing if it does not fit.
constexpr std::optional<Int> checked_add(Int a, Int b) {
  Int sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// Returns ceil(a / b) for a >= 0, b > 0; never overflows.
constexpr Int ceil_divide(Int a, Int b) { return a / b + static_cast<Int>(a % b != 0); }

}  // namespace nestor
