#include "model/pim/rows/hybrid_rows.h"

#include <algorithm>
#include <numeric>

namespace nestor::pim {
namespace {

// docs/models/pim.md (6.1): repeating loops outside every loop that moves the tile, and the others.
struct Reuse {
  Int outer = 1;
  Int inner = 1;
  Int tiles = 1;
};

Reuse reuse_of(const RowWalk& walk) {
  Reuse reuse;
  bool moved = false;
  for (const VisitLoop& loop : walk.loops) {
    const bool repeats = loop.coordinate == VisitLoop::repeats;
    moved |= !repeats;
    if (!repeats)
      reuse.tiles *= loop.count;
    else
      (moved ? reuse.inner : reuse.outer) *= loop.count;
  }
  return reuse;
}

// (6.4): the share of tile positions along a coordinate that cross a block border, over all tiles.
double crossings(const RowWalk& walk, std::size_t coordinate, Int block) {
  Int step = 0;
  for (const VisitLoop& loop : walk.loops)
    if (loop.coordinate == coordinate) step = std::gcd(step, loop.step);
  const Int tile = walk.tile[coordinate];
  if (step == 0) return tile > block ? 1 : 0;
  const Int common = std::gcd(step, block);
  const Int period = block / common;
  const Int safe = tile > block ? 0 : (block - tile) / common + 1;
  return 1 - static_cast<double>(std::min(safe, period)) / static_cast<double>(period);
}

}  // namespace

Int hybrid_rows(const LayerShape& /*layer*/, const RowWalk& walk, const Layout& layout, Int buffered_reuse) {
  const Reuse reuse = reuse_of(walk);
  Int tensor = 1;
  Int tile = 1;
  for (std::size_t c = 0; c < coordinate_count; ++c) {
    tensor *= walk.size[c];
    tile *= walk.tile[c];
  }
  const double penalty = static_cast<double>(reuse.inner) * static_cast<double>(buffered_reuse);
  const bool aligned = layout.kind == LayoutKind::row_aligned;
  double rows = 0;
  if (aligned) {
    rows = static_cast<double>(reuse.tiles);  // (6.3)
  } else {
    const auto stream = static_cast<double>(std::max<Int>(1, ceil_divide(tensor, walk.row_elements)));
    const bool small = tile <= walk.row_elements && walk.row_elements % tile == 0;
    rows = small ? stream : stream * penalty;  // (6.2)
  }
  rows *= static_cast<double>(reuse.outer);
  if (walk.operand == Operand::I) {
    const Int lines = std::max<Int>(1, walk.row_elements / walk.size[3]);
    const double tall = crossings(walk, 2, aligned ? layout.block_height : lines);
    const double wide = aligned ? crossings(walk, 3, layout.block_width) : 0;
    const double crossed = static_cast<double>(reuse.tiles) * (1 - (1 - tall) * (1 - wide));
    rows += 2 * crossed * penalty;  // (6.5)
  }
  constexpr double most = 4e18;
  const double capped = std::min(rows, most);
  const auto whole = static_cast<Int>(capped);
  return whole + static_cast<Int>(static_cast<double>(whole) < capped);
}

Int hybrid_rows(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                Operand operand, const Boundary& boundary) {
  Int buffered = 1;
  for (const Loop& loop : mapping.nest.loops)
    if (loop.at[index_of(operand)] == boundary.to && boundary.to != machine.innermost(operand) &&
        !layer.is_relevant(loop.dim, operand))
      buffered *= loop.factor;
  const PimNest nest(layer, machine, mapping);
  return hybrid_rows(layer, nest.row_walk(operand, boundary), mapping.layouts[index_of(operand)], buffered);
}

}  // namespace nestor::pim
