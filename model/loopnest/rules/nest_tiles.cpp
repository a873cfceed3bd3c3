#include "model/loopnest/rules/nest_tiles.h"

#include "model/loopnest/spatial_factors.h"

namespace nestor {

NestTiles::NestTiles(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping)
    : layer_(layer), machine_(machine) {
  const std::size_t loops = mapping.loops.size();
  const std::size_t axes = machine.axes.size();

  inner_[loops] = unit_extents;
  for (std::size_t i = loops; i-- > 0;) {
    const Loop& loop = mapping.loops[i];
    inner_[i] = inner_[i + 1];
    inner_[i][index_of(loop.dim)] *= loop.factor;
    if (layer.is_reduction(loop.dim)) first_reduction_loop_ = i;
  }

  below_[axes] = unit_extents;
  for (std::size_t a = axes; a-- > 0;) below_[a] = times(below_[a + 1], mapping.spatial[a]);
  lanes_before_[0] = 1;
  for (std::size_t a = 0; a < axes; ++a)
    lanes_before_[a + 1] = lanes_before_[a] * product_of(mapping.spatial[a]);
  for (std::size_t a = axes; a-- > 0;)
    if (carries_reduction(layer, mapping.spatial[a])) first_reduced_axis_ = a;

  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    used_[machine.home(operand)].insert(operand);
    used_[machine.innermost(operand)].insert(operand);
    for (const Loop& loop : mapping.loops) used_[loop.at[x]].insert(operand);
    std::size_t begin = 0;
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      while (begin < loops && mapping.loops[begin].at[x] < m) ++begin;
      content_begin_[m][x] = static_cast<std::uint8_t>(begin);
    }
  }
}

Extents NestTiles::extents(std::size_t loop, std::size_t axis) const {
  return times(inner_[loop], below_[axis]);
}

// docs/models/cim.md (4.1); the width follows (4.2).
Int NestTiles::size_bits(std::size_t memory, Operand operand) const {
  const std::size_t axis = machine_.memories[memory].axes_above;
  bool open = false;
  if (operand == Operand::O) {
    const std::size_t innermost = machine_.innermost(Operand::O);
    const std::size_t further_inside =
        memory == innermost ? max_loops : content_begin_[memory + 1][index_of(Operand::O)];
    open = memory == innermost || reduction_outside(further_inside) || reduced_above(axis);
  }
  return tile(operand, content_begin(memory, operand), axis) * layer_.bits.of(operand, open);
}

}  // namespace nestor
