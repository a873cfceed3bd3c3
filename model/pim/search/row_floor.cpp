#include "model/pim/search/row_floor.h"

#include <algorithm>

#include "model/loopnest/tiles.h"
#include "model/pim/rows/row_walk.h"

namespace nestor::pim {
namespace {

// Returns a lower bound on the number of distinct values of p * stride + r * dilation: the whole span if one
// kind of step fills the gaps of the other (then it is exact), otherwise outputs + taps - 1.
Int places(Int outputs, Int taps, Int stride, Int dilation) {
  if (!fills_gaps(outputs, taps, stride, dilation)) return outputs + taps - 1;
  return (outputs - 1) * stride + (taps - 1) * dilation + 1;
}

Int elements_read(const LayerShape& layer, Operand operand, const Extents& extents) {
  const auto of = [&](Dim dim) { return layer.is_relevant(dim, operand) ? extents[index_of(dim)] : 1; };
  const auto along = [&](std::size_t direction, Int outputs, Int taps) {
    if (!slides(layer, operand, direction)) return outputs * taps;
    return places(outputs, taps, layer.stride[direction], layer.dilation[direction]);
  };
  return of(Dim::N) * of(Dim::K) * of(Dim::C) * along(0, of(Dim::P), of(Dim::R)) *
         along(1, of(Dim::Q), of(Dim::S));
}

}  // namespace

RowFloor::RowFloor(const LayerShape& layer, const Memory& dram, Operand operand, const Extents& extents)
    : operand_(operand), banks_(dram.banks) {
  rows_ = ceil_divide(elements_read(layer, operand, extents), dram.row / layer.bits.narrowest(operand));
}

// The bound also counts repeating loops inside loops that split the tensor into parts. Each repetition of a
// part activates the rows of the part again, except one row per bank that may still be open.
Int RowFloor::activations(const Path& path, const Lattices& lattices, const LayerShape& layer) const {
  Int floor = rows_;
  Int parts = 1;
  Int repeats = 1;
  each_seen_loop(path, lattices, layer, operand_, [&](std::size_t dim, Int count) {
    if (dim != dim_count) {
      parts *= count;
      return;
    }
    repeats *= count;
    // Equation (7.1).
    floor = std::max(floor, repeats * (rows_ - parts * banks_));
  });
  return floor;
}

}  // namespace nestor::pim
