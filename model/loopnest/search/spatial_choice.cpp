#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

SpatialChoice mirror(SpatialChoice choice) {
  for (auto& node : choice.node) node = mirror(node);
  return choice;
}

bool is_symmetric(const NestProblem& problem, const Hierarchy& machine) {
  const LayerShape& layer = problem.layer;
  bool same = problem.techniques.symmetry && layer.stride[0] == layer.stride[1] &&
              layer.dilation[0] == layer.dilation[1];
  for (const Dim dim : {Dim::P, Dim::R}) {
    same &= problem.factors[index_of(dim)] == problem.factors[index_of(mirror(dim))];
    same &= problem.least_bounds[index_of(dim)] == problem.least_bounds[index_of(mirror(dim))];
    for (const Operand operand : all_operands)
      same &= layer.is_relevant(dim, operand) == layer.is_relevant(mirror(dim), operand);
    for (std::size_t a = 0; a < machine.axes.size(); ++a) {
      const DimSet& allowed = machine.axes[a].dims;
      const DimSet& wanted = problem.constraints.axis_dims[a];
      const Extents& fixed = problem.constraints.axis_factors[a];
      same &= allowed.contains(dim) == allowed.contains(mirror(dim));
      same &= wanted.contains(dim) == wanted.contains(mirror(dim));
      same &= fixed[index_of(dim)] == fixed[index_of(mirror(dim))];
    }
  }
  for (const Loop& loop : problem.constraints.outer_loops) same &= mirror(loop.dim) == loop.dim;
  return same;
}

Extents factors_of(const std::array<LatticeNode, dim_count>& node, const Lattices& lattices) {
  Extents factors;
  for (std::size_t d = 0; d < dim_count; ++d) factors[d] = lattices[d].value(node[d]);
  return factors;
}

SpatialFactors factors_of(const SpatialChoice& choice, const Lattices& lattices) {
  SpatialFactors spatial;
  for (std::size_t a = 0; a < max_axes; ++a) spatial[a] = factors_of(choice.node[a], lattices);
  return spatial;
}

Int temporal_steps(const SpatialChoice& choice, const Lattices& lattices, std::size_t axes) {
  Int steps = 1;
  for (std::size_t d = 0; d < dim_count; ++d) steps *= lattices[d].remaining(choice.used(d, axes));
  return steps;
}

}  // namespace nestor
