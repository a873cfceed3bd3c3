// Prime factors of whole numbers.
#pragma once

#include "base/checked.h"

namespace nestor {

/// Calls visit(prime) for every prime factor of a number of at least 1, in ascending order, equal ones as
/// often as they divide it.
template <typename Visit>
constexpr void for_each_prime_factor(Int number, const Visit& visit) {
  for (Int prime = 2; prime <= number / prime; ++prime)
    for (; number % prime == 0; number /= prime) visit(prime);
  if (number > 1) visit(number);
}

}  // namespace nestor
