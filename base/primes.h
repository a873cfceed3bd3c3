// Prime factors of whole numbers.
#pragma once

#include <cstdint>
#include <limits>

#include "base/checked.h"

namespace nestor {

/// Calls visit(prime) for every prime factor of a number of at least 1, in ascending order, equal ones as
/// often as they divide it.
template <typename Visit>
constexpr void for_each_prime_factor(Int number, const Visit& visit) {
  constexpr Int most_short = std::numeric_limits<std::uint32_t>::max();
  Int prime = 2;
  for (; number > most_short && prime <= number / prime; prime += prime == 2 ? 1 : 2)
    for (; number % prime == 0; number /= prime) visit(prime);
  if (number > most_short) return visit(number);
  // Many divisions, which are fast in 32 bits.
  auto rest = static_cast<std::uint32_t>(number);
  auto divisor = static_cast<std::uint32_t>(prime);
  for (; divisor <= rest / divisor; divisor += divisor == 2 ? 1 : 2)
    for (; rest % divisor == 0; rest /= divisor) visit(divisor);
  if (rest > 1) visit(rest);
}

}  // namespace nestor
