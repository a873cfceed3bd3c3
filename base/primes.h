// Prime factorisation of positive integers by trial division.
#pragma once

#include <cstdint>
#include <limits>

#include "base/checked.h"

namespace nestor {

/// Calls visit(prime) for every prime factor of `number`, which is at least 1, in ascending order and with
/// multiplicity.
template <typename Visit>
constexpr void for_each_prime_factor(Int number, const Visit& visit) {
  Int prime = 2;
  for (;;) {
    // The loop performs many divisions, and 32-bit divisions are faster.
    const bool is_short = number <= std::numeric_limits<std::uint32_t>::max();
    const Int quotient =
        is_short ? static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(prime) : number / prime;
    if (quotient < prime) break;
    if (quotient * prime == number) {
      visit(prime);
      number = quotient;
    } else {
      prime += prime == 2 ? 1 : 2;
    }
  }
  if (number > 1) visit(number);
}

}  // namespace nestor
