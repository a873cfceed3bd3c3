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

  /// What the first `axes` axes take of a dimension.
  constexpr LatticeNode used(std::size_t dim, std::size_t axes = max_axes) const {
    LatticeNode used = 0;
    for (std::size_t a = 0; a < axes; ++a) used = static_cast<LatticeNode>(used + node[a][dim]);
    return used;
  }
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

/// The factors that nodes stand for.
Extents factors_of(const std::array<LatticeNode, dim_count>& node, const Lattices& lattices);
SpatialFactors factors_of(const SpatialChoice& choice, const Lattices& lattices);

/// Temporal iterations that a choice leaves: the product of all bounds over all mapped factors.
Int temporal_steps(const SpatialChoice& choice, const Lattices& lattices, std::size_t axes);

/// What the axes of a machine take, and what a user fixed of them.
class AxisRules {
 public:
  AxisRules(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(problem), machine_(machine), lattices_(lattices) {}

  /// Whether an axis takes any factor but 1 of a dimension.
  bool takes(std::size_t axis, std::size_t dim) const {
    const auto d = static_cast<Dim>(dim);
    return machine_.axes[axis].dims.contains(d) && problem_.constraints.axis_dims[axis].contains(d);
  }
  /// Whether it takes these factors of a dimension, where it carries `carried` already and other axes took
  /// `used` of the dimension.
  bool allows(std::size_t axis, std::size_t dim, LatticeNode node, Int carried, LatticeNode used) const {
    if (node != 0 && !takes(axis, dim)) return false;
    const Int factor = lattices_[dim].value(node);
    const Int wanted = problem_.constraints.axis_factors[axis][dim];
    return factor <= machine_.axes[axis].size / carried && (wanted == 0 || factor == wanted) &&
           lattices_[dim].fits_beside(used, node);
  }
  /// Whether what an axis carries in all is enough of it.
  bool utilised(std::size_t axis, Int carried) const {
    if constexpr (latency_only) return true;  // a device fixes nothing
    return static_cast<double>(carried) >=
           problem_.constraints.min_utilisation[axis] * static_cast<double>(machine_.axes[axis].size);
  }

 private:
  const NestProblem& problem_;
  const Hierarchy& machine_;
  const Lattices& lattices_;
};

/// Calls visit(choice) for each choice that the machine and the constraints allow; stops early when it
/// returns false.
class SpatialEnumerator {
 public:
  SpatialEnumerator(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : axes_(machine.axes.size()), lattices_(lattices), rules_(problem, machine, lattices) {}

  template <typename Visit>
  void run(Visit visit) {
    used_.fill(0);
    descend(0, 0, 1, visit);
  }

 private:
  // Places dimension `dim` on `axis`; `product` is what the axis carries already.
  template <typename Visit>
  bool descend(std::size_t axis, std::size_t dim, Int product, Visit& visit) {
    if (axis == axes_) return visit(choice_);
    if (dim == dim_count) {
      if (!rules_.utilised(axis, product)) return true;
      return descend(axis + 1, 0, 1, visit);
    }
    const FactorLattice& lattice = lattices_[dim];
    const std::size_t nodes = rules_.takes(axis, dim) ? lattice.size() : 1;
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto candidate = static_cast<LatticeNode>(node);
      if (!rules_.allows(axis, dim, candidate, product, used_[dim])) continue;
      choice_.node[axis][dim] = candidate;
      used_[dim] = static_cast<LatticeNode>(used_[dim] + candidate);
      const bool go_on = descend(axis, dim + 1, product * lattice.value(candidate), visit);
      used_[dim] = static_cast<LatticeNode>(used_[dim] - candidate);
      choice_.node[axis][dim] = 0;
      if (!go_on) return false;
    }
    return true;
  }

  std::size_t axes_;
  const Lattices& lattices_;
  AxisRules rules_;
  SpatialChoice choice_;
  std::array<LatticeNode, dim_count> used_{};
};

}  // namespace nestor
