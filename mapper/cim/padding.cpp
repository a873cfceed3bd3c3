#include "mapper/cim/padding.h"

#include <algorithm>

#include "model/loopnest/factor_set.h"

namespace nestor::mapper {
namespace {

Int largest_prime(Int bound) {
  const FactorSet set = prime_factors(bound);
  return set.factors.empty() ? 1 : set.factors.back().value;
}

std::vector<Int> candidates(Int bound, double share) {
  constexpr Int most_tried = 10'000;  // larger bounds than this above the own one are not looked at
  std::vector<Int> list = {bound};
  const auto growth = static_cast<Int>(std::min(static_cast<double>(bound) * share, 1e9));
  Int smoothest = largest_prime(bound);
  for (Int padded = bound + 1; padded <= bound + std::min(growth, most_tried) && smoothest > 2; ++padded)
    if (const Int prime = largest_prime(padded); prime < smoothest) {
      smoothest = prime;
      list.push_back(padded);
    }
  return list;
}

}  // namespace

std::vector<Extents> padded_bounds(const Extents& bounds, double share) {
  std::vector<Extents> all = {bounds};
  for (std::size_t d = 0; d < dim_count; ++d) {
    std::vector<Extents> grown;
    for (const Int bound : candidates(bounds[d], share))
      for (Extents extents : all) {
        extents[d] = bound;
        grown.push_back(extents);
      }
    std::stable_sort(grown.begin(), grown.end(), [](const Extents& a, const Extents& b) {
      return product_of<double>(a) < product_of<double>(b);
    });
    if (grown.size() > most_combinations) grown.resize(most_combinations);
    all = std::move(grown);
  }
  return all;
}

}  // namespace nestor::mapper
