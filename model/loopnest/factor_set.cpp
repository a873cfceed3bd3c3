#include "model/loopnest/factor_set.h"

#include "base/primes.h"

namespace nestor {

bool FactorSet::add(Int value) {
  std::size_t at = 0;
  while (at < factors.size() && factors[at].value < value) ++at;
  if (at < factors.size() && factors[at].value == value) {
    ++factors[at].count;
    return true;
  }
  if (factors.full()) return false;
  factors.push_back({});
  for (std::size_t i = factors.size() - 1; i > at; --i) factors[i] = factors[i - 1];
  factors[at] = {.value = value, .count = 1};
  return true;
}

FactorSet prime_factors(Int bound) {
  FactorSet set;
  for_each_prime_factor(bound, [&](Int prime) { set.add(prime); });
  return set;
}

FactorSets prime_factors(const Extents& bounds) {
  FactorSets sets;
  for (std::size_t d = 0; d < dim_count; ++d) sets[d] = prime_factors(bounds[d]);
  return sets;
}

}  // namespace nestor
