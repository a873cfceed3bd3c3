// Layers with padded bounds (--pad): the bounds that a claim covers, and those that cannot be better than
// smaller bounds (docs/proofs.md, "Padded bounds").
#pragma once

#include "check/problem.h"

namespace nestor::check {

struct Padding {
  bool is_wanted = false;
  bool to_multiples = false;  ///< true if a bound can grow to the next multiple of 2, 4 or 8
  Decimal percent{};          ///< otherwise, percentage by which a bound can grow

  bool allows(Int own, Int bound) const {
    if (bound == own) return true;
    if (!is_wanted || bound < own) return false;
    if (to_multiples) {
      const auto next = [&](Int multiple) { return times(ceiling(own, multiple), multiple); };
      return bound == next(2) || bound == next(4) || bound == next(8);
    }
    const Wide unit = power_of_ten(percent.places);
    return times(Wide{bound - own}, 100, unit) <= times(Wide{own}, percent.in(unit));
  }
  bool allows(const Extents& own, const Extents& bounds) const {
    for (std::size_t d = 0; d < dim_count; ++d)
      if (!allows(own, d, bounds[d])) return false;
    return true;
  }
  /// A layer without groups keeps one group.
  bool allows(const Extents& own, std::size_t dim, Int bound) const {
    return dim == G && own[dim] == 1 ? bound == 1 : allows(own[dim], bound);
  }
};

inline Padding read_padding(const Json& result) {
  Padding padding;
  const auto text = member(result, "options").value("pad", "0");
  padding.to_multiples = text == "auto";
  if (!padding.to_multiples) padding.percent = parse_decimal(text);
  if (padding.percent.digits < 0) throw Unreadable("the padding is negative");
  padding.is_wanted = padding.to_multiples || padding.percent.digits > 0;
  return padding;
}

/// True if reducing a factor by one, to at least 2, yields a mapping for bounds that still cover `least`.
inline bool could_be_less(Int bound, Int factor, Int least) {
  return factor > 2 && bound - bound / factor >= least;
}
/// True if every mapping can be reduced in this way, since each prime of the bound is part of some factor.
inline bool could_be_less(Int bound, Int least) {
  if (bound == least) return false;
  Int largest = 1;
  for (Int n = 2, rest = bound; rest > 1; n = n > rest / n ? rest : n + 1)
    for (; rest % n == 0; rest /= n) largest = n;
  return could_be_less(bound, largest, least);
}
/// True if every mapping under a spatial choice can be reduced in this way.
inline bool could_be_less(const Spatial& spatial, const Extents& bounds, const Extents& least) {
  for (const Extents& factors : spatial)
    for (std::size_t d = 0; d < dim_count; ++d)
      if (bounds[d] != least[d] && could_be_less(bounds[d], factors[d], least[d])) return true;
  return false;
}

/// Calls visit(bounds) for all allowed bounds. If `reducible` is true, bounds that can be reduced are
/// skipped.
template <typename Visit>
void each_padded(const Extents& own, const Padding& padding, bool reducible, Visit visit) {
  constexpr double most_shapes = 50'000'000;
  std::array<std::vector<Int>, dim_count> allowed;
  double shapes = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    for (Int bound = own[d]; padding.allows(own[d], bound) || bound < own[d] + 8; ++bound)
      if (padding.allows(own, d, bound) && !(reducible && could_be_less(bound, own[d])))
        allowed[d].push_back(bound);
    shapes *= static_cast<double>(allowed[d].size());
    if (shapes > most_shapes) throw Unreadable("a layer has too many padded bounds");
  }
  Extents bounds{};
  const auto choose = [&](const auto& self, std::size_t d) -> void {
    if (d == dim_count) return visit(bounds);
    for (const Int bound : allowed[d]) {
      bounds[d] = bound;
      self(self, d + 1);
    }
  };
  choose(choose, 0);
}

}  // namespace nestor::check
