// Neighbours of a spatial choice: a factor moves between two axes or between an axis and the loops, or two
// factors are exchanged.
#pragma once

#include <optional>

#include "base/fixed_vector.h"
#include "model/loopnest/space/choice_list.h"

namespace nestor::nest {

/// Returns the index of the choice with these factors, or nothing if the list does not contain it.
inline std::optional<std::size_t> find_choice(const ChoiceList& choices, const SpatialFactors& factors) {
  SpatialChoice wanted;
  for (std::size_t a = 0; a < choices.axes(); ++a)
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = choices.lattices()[d];
      std::size_t node = 0;
      while (node < lattice.size() && lattice.value(static_cast<LatticeNode>(node)) != factors[a][d]) ++node;
      if (node == lattice.size()) return std::nullopt;
      wanted.node[a][d] = static_cast<LatticeNode>(node);
    }
  return choices.find(wanted);
}

/// Calls visit(index) for every neighbour in the list. Some neighbours are visited more than once.
template <typename Visit>
void for_each_neighbour(const ChoiceList& choices, std::size_t index, Visit visit) {
  struct Factor {
    std::size_t axis, dim;
    LatticeNode one;
  };
  const Lattices& lattices = choices.lattices();
  const std::size_t axes = choices.axes();
  const SpatialChoice& here = choices.choice(index);
  // The last row contains the factors left for the loops.
  std::array<std::array<LatticeNode, dim_count>, max_axes + 1> place{};
  for (std::size_t d = 0; d < dim_count; ++d) {
    for (std::size_t a = 0; a < axes; ++a) place[a][d] = here.node[a][d];
    place[axes][d] = static_cast<LatticeNode>(lattices[d].last() - here.used(d));
  }
  FixedVector<Factor, (max_axes + 1) * max_loops> factors;
  for (std::size_t a = 0; a <= axes; ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t k = 0; k < lattices[d].factor_count(); ++k) {
        const auto rest = static_cast<LatticeNode>(lattices[d].last() - place[a][d]);
        if (lattices[d].can_multiply(rest, k)) factors.push_back({a, d, lattices[d].stride(k)});
      }
  SpatialChoice other = here;
  const auto put = [&](std::size_t axis, std::size_t dim, LatticeNode one) {
    if (axis < axes) other.node[axis][dim] = static_cast<LatticeNode>(other.node[axis][dim] + one);
  };
  const auto take = [&](std::size_t axis, std::size_t dim, LatticeNode one) {
    if (axis < axes) other.node[axis][dim] = static_cast<LatticeNode>(other.node[axis][dim] - one);
  };
  const auto tell = [&] {
    if (const auto found = choices.find(other)) visit(*found);
  };
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Factor& a = factors[i];
    take(a.axis, a.dim, a.one);
    for (std::size_t to = 0; to <= axes; ++to) {
      if (to == a.axis) continue;
      put(to, a.dim, a.one);
      tell();
      for (std::size_t j = i + 1; j < factors.size(); ++j) {
        const Factor& b = factors[j];
        if (b.axis != to || (b.dim == a.dim && b.one == a.one)) continue;
        take(b.axis, b.dim, b.one);
        put(a.axis, b.dim, b.one);
        tell();
        take(a.axis, b.dim, b.one);
        put(b.axis, b.dim, b.one);
      }
      take(to, a.dim, a.one);
    }
    put(a.axis, a.dim, a.one);
  }
}

}  // namespace nestor::nest
