#include "mapper/loopnest/padding.h"

#include <cmath>

namespace nestor::mapper {

std::vector<Int> padded_bounds(Int bound, const Padding& padding) {
  constexpr double rounding = 1e-12;
  std::vector<Int> list = {bound};
  if (padding.to_multiples)
    for (const Int multiple : {2, 4, 8})
      if (const Int next = (bound + multiple - 1) / multiple * multiple; next > list.back())
        list.push_back(next);
  const auto growth =
      static_cast<Int>(std::floor(static_cast<double>(bound) * padding.percent / 100 * (1 + rounding)));
  if (!padding.to_multiples)
    for (Int more = 1; more <= growth; ++more) list.push_back(bound + more);
  return list;
}

Extents least_bounds_of(const Extents& own, const Extents& padded) {
  Extents least = own;
  for (const Dim dim : {Dim::P, Dim::R}) {
    const auto a = index_of(dim);
    const auto b = index_of(mirror(dim));
    if (padded[a] == padded[b]) least[a] = least[b] = std::max(own[a], own[b]);
  }
  return least;
}

bool is_unconstrained(const Constraints& constraints) {
  const Constraints none;
  return constraints.axis_dims == none.axis_dims && constraints.axis_factors == none.axis_factors &&
         constraints.must_use == none.must_use && constraints.must_not_use == none.must_not_use &&
         constraints.outer_loops.empty() && constraints.min_utilisation == none.min_utilisation &&
         constraints.stationary.empty();
}

}  // namespace nestor::mapper
