#include "report/verify/smallest_tiles.h"

#include <algorithm>

#include "model/loopnest/canonical.h"

namespace nestor::io {

bool is_short_of_room(const LayerShape& shape, const Hierarchy& machine) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Int needed = 0;
    for (const Operand operand : all_operands)
      if (machine.innermost(operand) == m)
        needed += operand == Operand::I   ? shape.bits.input
                  : operand == Operand::W ? shape.bits.weight
                                          : std::min(shape.bits.output, shape.bits.partial_sum);
    if (needed > machine.memories[m].capacity) return true;
  }
  return false;
}

Mapping smallest_tiles(const LayerShape& shape, const Hierarchy& machine) {
  Mapping smallest;
  for (const Dim dim : all_dims) {
    if (shape.bound(dim) == 1) continue;
    Loop loop;
    loop.dim = dim;
    loop.factor = shape.bound(dim);
    for (const Operand operand : all_operands)
      loop.at[index_of(operand)] = static_cast<std::uint8_t>(machine.home(operand));
    smallest.loops.push_back(loop);
  }
  normalise(smallest, shape, machine);
  return smallest;
}

}  // namespace nestor::io
