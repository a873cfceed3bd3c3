// Spatial choices: the factors on each axis. They are the first decision in every loop-nest space. Choices
// are enumerated in a fixed order (axes outermost first, dimensions in the order of Dim, sub-multisets in
// lattice order).
#pragma once

#include <limits>
#include <utility>

#include "model/loopnest/search/factor_lattice.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor {

/// The lattices of all dimensions.
using Lattices = std::array<FactorLattice, dim_count>;

struct SpatialChoice {
  std::array<std::array<LatticeNode, dim_count>, max_axes> node{};  ///< per axis and dimension

  /// Returns the node of all factors of a dimension on the first `axes` axes.
  constexpr LatticeNode used(std::size_t dim, std::size_t axes = max_axes) const {
    LatticeNode used = 0;
    for (std::size_t a = 0; a < axes; ++a) used = static_cast<LatticeNode>(used + node[a][dim]);
    return used;
  }
  friend constexpr bool operator==(const SpatialChoice&, const SpatialChoice&) = default;
  friend constexpr bool operator<(const SpatialChoice& a, const SpatialChoice& b) { return a.node < b.node; }
};

/// Returns the dimension that replaces `dim` when height and width are exchanged.
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

/// True if exchanging (P, R) with (Q, S) maps the problem onto itself. Every mapping then has a mirrored twin
/// of equal cost, and searching one of each pair is enough.
bool is_symmetric(const NestProblem& problem, const Hierarchy& machine);

/// Return the factors that the lattice nodes denote.
Extents factors_of(const std::array<LatticeNode, dim_count>& node, const Lattices& lattices);
SpatialFactors factors_of(const SpatialChoice& choice, const Lattices& lattices);

/// Returns the number of temporal iterations under a choice: the product of all bounds divided by all mapped
/// factors.
Int temporal_steps(const SpatialChoice& choice, const Lattices& lattices, std::size_t axes);

/// True if the factor exceeds 2 and the padded bound would still cover `least` with this factor reduced by 1.
constexpr bool is_reducible(Int bound, Int factor, Int least) {
  return factor > 2 && bound - bound / factor >= least;
}

/// Rules that determine which factors the axes of a machine and the user's constraints allow.
class AxisRules {
 public:
  AxisRules(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(problem), machine_(machine), lattices_(lattices) {}

  /// True if an axis accepts factors greater than 1 of a dimension.
  bool takes(std::size_t axis, std::size_t dim) const {
    const auto d = static_cast<Dim>(dim);
    return machine_.axes[axis].dims.contains(d) && problem_.constraints.axis_dims[axis].contains(d);
  }
  /// True if the axis accepts these factors of a dimension. The factors that it already carries multiply to
  /// `carried`, and other axes use the factors `used` of the dimension.
  bool allows(std::size_t axis, std::size_t dim, LatticeNode node, Int carried, LatticeNode used) const {
    return allows_within(axis, dim, node, machine_.axes[axis].size / carried, used);
  }
  /// Same as allows(), with the remaining lanes of the axis as `room`.
  bool allows_within(std::size_t axis, std::size_t dim, LatticeNode node, Int room, LatticeNode used) const {
    if (node != 0 && !takes(axis, dim)) return false;
    const Int factor = lattices_[dim].value(node);
    const Int wanted = latency_only ? 0 : problem_.constraints.axis_factors[axis][dim];  // see utilised()
    return factor <= room && (wanted == 0 || factor == wanted) && lattices_[dim].fits_beside(used, node) &&
           !could_be_less(dim, factor);
  }
  /// True if the lanes that an axis carries satisfy its minimum utilisation.
  bool utilised(std::size_t axis, Int carried) const {
    if constexpr (latency_only) return true;  // latency-only builds have no constraints
    return static_cast<double>(carried) >=
           problem_.constraints.min_utilisation[axis] * static_cast<double>(machine_.axes[axis].size);
  }

 private:
  bool could_be_less(std::size_t dim, Int factor) const {
    if constexpr (latency_only) return false;  // latency-only builds do not pad
    const Int least = problem_.least_bounds[dim];
    return least > 0 && is_reducible(lattices_[dim].value(lattices_[dim].last()), factor, least);
  }

  const NestProblem& problem_;
  const Hierarchy& machine_;
  const Lattices& lattices_;
};

/// Calls visit(choice) for each choice that the machine and the constraints allow and that has at most
/// `most_steps` temporal iterations. Stops early when visit returns false.
class SpatialEnumerator {
 public:
  SpatialEnumerator(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                    Int most_steps = std::numeric_limits<Int>::max())
      : axes_(machine.axes.size()), lattices_(lattices), rules_(problem, machine, lattices) {
    // least_lanes_ is the number of lanes needed to stay within `most_steps`. most_lanes_[a] is the largest
    // possible number of lanes of the axes [a, axes_).
    const auto steps = product_of<double>(problem.layer.bounds);
    least_lanes_ = steps / static_cast<double>(most_steps) * (1 - rounding);
    for (std::size_t a = axes_; a-- > 0;)
      most_lanes_[a] = most_lanes_[a + 1] * static_cast<double>(machine.axes[a].size);
  }

  template <typename Visit>
  void run(Visit visit) {
    used_.fill(0);
    lanes_ = 1;
    descend(0, 0, 1, visit);
  }

 private:
  // Places dimension `dim` on `axis`; `product` is the product of the factors already on the axis.
  template <typename Visit>
  bool descend(std::size_t axis, std::size_t dim, Int product, Visit& visit) {
    if (axis == axes_) return visit(choice_);
    if (dim == dim_count) {
      if (!rules_.utilised(axis, product)) return true;
      const double before = lanes_;
      lanes_ *= static_cast<double>(product);
      const bool enough = lanes_ * most_lanes_[axis + 1] >= least_lanes_;
      const bool go_on = !enough || descend(axis + 1, 0, 1, visit);
      lanes_ = before;
      return go_on;
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

  static constexpr double rounding = 1e-9;

  std::size_t axes_;
  const Lattices& lattices_;
  AxisRules rules_;
  double least_lanes_ = 0;                                  // lanes required on all axes together
  std::array<double, max_axes + 1> most_lanes_ = filled();  // lanes possible on the axes [a, axes_)
  double lanes_ = 1;                                        // lanes used on the axes so far
  SpatialChoice choice_;
  std::array<LatticeNode, dim_count> used_{};

  static constexpr std::array<double, max_axes + 1> filled() {
    std::array<double, max_axes + 1> ones{};
    ones.fill(1);
    return ones;
  }
};

}  // namespace nestor
