// The first decision of every loop-nest space: which factors lie on which spatial axis. Choices are
// enumerated in a fixed order (axes outermost first, dimensions in the order of Dim, sub-multisets in lattice
// order).
#pragma once

#include <utility>

#include "model/loopnest/search/factor_lattice.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor {

/// The lattices of all seven dimensions.
using Lattices = std::array<FactorLattice, dim_count>;

struct SpatialChoice {
  std::array<std::array<LatticeNode, dim_count>, max_axes> node{};  ///< per axis and dimension

  friend constexpr bool operator==(const SpatialChoice&, const SpatialChoice&) = default;
  friend constexpr bool operator<(const SpatialChoice& a, const SpatialChoice& b) { return a.node < b.node; }
};

/// The dimension that takes a dimension's place when height and width are exchanged.
constexpr Dim mirror(Dim dim) {
  switch (dim) {
    case Dim::P:
      return Dim::Q;
    case Dim::Q:
      return Dim::P;
    case Dim::R:
      return Dim::S;
    case Dim::S:
      return Dim::R;
    default:
      return dim;
  }
}
constexpr std::array<LatticeNode, dim_count> mirror(std::array<LatticeNode, dim_count> node) {
  std::swap(node[index_of(Dim::P)], node[index_of(Dim::Q)]);
  std::swap(node[index_of(Dim::R)], node[index_of(Dim::S)]);
  return node;
}
SpatialChoice mirror(SpatialChoice choice);

/// Whether exchanging (P, R) with (Q, S) maps the problem onto itself: every mapping then has a mirrored twin
/// of equal cost, and one of each pair is enough.
bool is_symmetric(const NestProblem& problem, const Hierarchy& machine);

/// Temporal iterations that a choice leaves: the product of all bounds over all mapped factors.
Int temporal_steps(const SpatialChoice& choice, const Lattices& lattices, std::size_t axes);

/// Calls visit(choice) for each choice that the machine and the constraints allow; stops early when it
/// returns false.
class SpatialEnumerator {
 public:
  SpatialEnumerator(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(problem), machine_(machine), lattices_(lattices) {}

  template <typename Visit>
  void run(Visit visit) {
    used_.fill(0);
    descend(0, 0, 1, visit);
  }

 private:
  bool allowed(std::size_t axis, std::size_t dim) const {
    const auto d = static_cast<Dim>(dim);
    return machine_.axes[axis].dims.contains(d) && problem_.constraints.axis_dims[axis].contains(d);
  }
  bool utilised(std::size_t axis, Int product) const {
    return static_cast<double>(product) >=
           problem_.constraints.min_utilisation[axis] * static_cast<double>(machine_.axes[axis].size);
  }

  // Places dimension `dim` on `axis`; `product` is what the axis carries already.
  template <typename Visit>
  bool descend(std::size_t axis, std::size_t dim, Int product, Visit& visit) {
    if (axis == machine_.axes.size()) return visit(choice_);
    if (dim == dim_count) {
      if (!utilised(axis, product)) return true;
      return descend(axis + 1, 0, 1, visit);
    }
    const FactorLattice& lattice = lattices_[dim];
    const Int wanted = problem_.constraints.axis_factors[axis][dim];
    const std::size_t nodes = allowed(axis, dim) ? lattice.size() : 1;
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto candidate = static_cast<LatticeNode>(node);
      const Int factor = lattice.value(candidate);
      if (factor > machine_.axes[axis].size / product) continue;
      if (wanted != 0 && factor != wanted) continue;
      if (!lattice.fits_beside(used_[dim], candidate)) continue;
      choice_.node[axis][dim] = candidate;
      used_[dim] = static_cast<LatticeNode>(used_[dim] + candidate);
      const bool go_on = descend(axis, dim + 1, product * factor, visit);
      used_[dim] = static_cast<LatticeNode>(used_[dim] - candidate);
      choice_.node[axis][dim] = 0;
      if (!go_on) return false;
    }
    return true;
  }

  const NestProblem& problem_;
  const Hierarchy& machine_;
  const Lattices& lattices_;
  SpatialChoice choice_;
  std::array<LatticeNode, dim_count> used_{};
};

}  // namespace nestor
