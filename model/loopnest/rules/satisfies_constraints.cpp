#include "model/loopnest/rules/satisfies_constraints.h"

namespace nestor {
namespace {

bool keeps_axes(const Constraints& constraints, const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis) {
    for (const Dim dim : all_dims) {
      const Int factor = mapping.spatial[axis][index_of(dim)];
      const Int wanted = constraints.axis_factors[axis][index_of(dim)];
      if (wanted != 0 && factor != wanted) return false;
      if (factor > 1 && !constraints.axis_dims[axis].contains(dim)) return false;
    }
    const double least = constraints.min_utilisation[axis] * static_cast<double>(machine.axes[axis].size);
    if (product_of<double>(mapping.spatial[axis]) < least) return false;
  }
  return true;
}

bool keeps_memories(const Constraints& constraints, const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      if (!machine.memories[m].operands.contains(operand)) continue;
      bool used = m == machine.home(operand) || m == machine.innermost(operand);
      for (const Loop& loop : mapping.loops) used |= loop.at[index_of(operand)] == m;
      const auto& broken = used ? constraints.must_not_use[m] : constraints.must_use[m];
      if (broken.contains(operand)) return false;
    }
  return true;
}

bool keeps_outer_loops(const FixedVector<Loop, max_loops>& wanted,
                       const FixedVector<Loop, max_loops>& loops) {
  if (wanted.size() > loops.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i].dim != loops[i].dim || wanted[i].factor != loops[i].factor) return false;
  return true;
}

bool keeps_in_place(OperandSet stationary, const LayerShape& layer, const Hierarchy& machine,
                    const FixedVector<Loop, max_loops>& loops) {
  for (const Operand operand : all_operands)
    for (const Loop& loop : loops)
      if (stationary.contains(operand) && !layer.is_relevant(loop.dim, operand) &&
          loop.at[index_of(operand)] != machine.innermost(operand))
        return false;
  return true;
}

}  // namespace

bool satisfies_constraints(const Constraints& constraints, const LayerShape& layer, const Hierarchy& machine,
                           const Mapping& mapping) {
  return keeps_axes(constraints, machine, mapping) && keeps_memories(constraints, machine, mapping) &&
         keeps_outer_loops(constraints.outer_loops, mapping.loops) &&
         keeps_in_place(constraints.stationary, layer, machine, mapping.loops);
}

bool is_contradictory(const Constraints& constraints, const Hierarchy& machine) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      if (!constraints.must_not_use[m].contains(operand)) continue;
      if (constraints.must_use[m].contains(operand)) return true;
      if (m == machine.home(operand) || m == machine.innermost(operand)) return true;
    }
  return false;
}

}  // namespace nestor
