// The factors from which the tiles of one dimension are built: a multiset whose product is the dimension's
// bound. The complete set of prime factors yields every divisor. Flexible factorization (flexible_factors.h)
// merges some factors to shrink the search. A tile extent is the product of a sub-multiset.
#pragma once

#include "base/fixed_vector.h"
#include "model/loopnest/capacity.h"
#include "model/loopnest/dims.h"

namespace nestor {

struct FactorSet {
  struct Factor {
    Int value = 0;
    std::uint16_t count = 0;
    friend constexpr bool operator==(const Factor&, const Factor&) = default;
  };
  FixedVector<Factor, max_distinct_factors> factors;  ///< ascending values

  Int product() const {
    Int product = 1;
    for (const Factor& factor : factors)
      for (int i = 0; i < factor.count; ++i) product *= factor.value;
    return product;
  }
  /// Returns the number of factors, counted with multiplicity.
  int size() const {
    int size = 0;
    for (const Factor& factor : factors) size += factor.count;
    return size;
  }
  /// Adds a factor. Returns false if the factor is a new value and the set is full.
  bool add(Int value);
  friend constexpr bool operator==(const FactorSet&, const FactorSet&) = default;
};

using FactorSets = std::array<FactorSet, dim_count>;

FactorSet prime_factors(Int bound);
FactorSets prime_factors(const Extents& bounds);

}  // namespace nestor
