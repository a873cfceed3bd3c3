#include "model/pim/rows/hybrid_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace nestor::pim {
namespace {

// Equation (6.1) of docs/models/pim.md: iterations of the repeating loops outside every loop that moves the
// tile, of the other repeating loops, and of the loops that move the tile.
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

SafeShare share_along(const RowWalk& walk, std::size_t coordinate, Int block) {
  Int step = 0;
  for (const VisitLoop& loop : walk.loops)
    if (loop.coordinate == coordinate) step = std::gcd(step, loop.step);
  return safe_share(step, walk.tile[coordinate], block);
}

constexpr Int most_rows = 4'000'000'000'000'000'000;

Int product(Int a, Int b) { return checked_multiply(a, b).value_or(most_rows); }

}  // namespace

SafeShare safe_share(Int step, Int tile, Int block) {
  if (step == 0) return {tile > block ? 0 : 1, 1};
  const Int common = std::gcd(step, block);
  const Int period = block / common;
  const Int safe = tile > block ? 0 : (block - tile) / common + 1;
  return {std::min(safe, period), period};
}

Int hybrid_rows(const LayerShape& /*layer*/, const RowWalk& walk, const Layout& layout, Int buffered_reuse) {
  const Reuse reuse = reuse_of(walk);
  Int tensor = 1;
  Int tile = 1;
  for (std::size_t c = 0; c < coordinate_count; ++c) {
    tensor *= walk.size[c];
    tile *= walk.tile[c];
  }
  const Int penalty = product(reuse.inner, buffered_reuse);
  const bool aligned = layout.kind == LayoutKind::row_aligned;
  Int rows = reuse.tiles;  // eq. (6.3)
  if (!aligned) {
    const Int stream = std::max<Int>(1, ceil_divide(tensor, walk.row_elements));
    const bool small = tile <= walk.row_elements && walk.row_elements % tile == 0;
    rows = small ? stream : product(stream, penalty);  // eq. (6.2)
  }
  rows = product(rows, reuse.outer);
  if (walk.operand != Operand::I) return std::min(rows, most_rows);
  const Int lines = std::max<Int>(1, walk.row_elements / walk.size[3]);
  const SafeShare tall = share_along(walk, 2, aligned ? layout.block_height : lines);
  const SafeShare wide = aligned ? share_along(walk, 3, layout.block_width) : SafeShare{};
  const Int crossing = tall.period * wide.period - tall.safe * wide.safe;
  const Int crossed = product(product(2 * reuse.tiles, penalty), crossing);
  return std::min(checked_add(rows, ceil_divide(crossed, tall.period * wide.period)).value_or(most_rows),
                  most_rows);
}

ChosenLayout hybrid_layout(const LayerShape& layer, const RowWalk& walk, LayoutSet allowed,
                           Int buffered_reuse) {
  ChosenLayout best{.layout = {}, .activations = std::numeric_limits<Int>::max()};
  const auto consider = [&](const Layout& layout) {
    const Int rows = hybrid_rows(layer, walk, layout, buffered_reuse);
    if (rows < best.activations) best = {layout, rows};
  };
  const bool hwc = walk.planes && allowed.contains(LayoutKind::hwc);
  const bool aligned = allowed.contains(LayoutKind::row_aligned);
  if (allowed.contains(LayoutKind::sequential) || (!hwc && !aligned)) consider({});
  if (hwc) consider({.kind = LayoutKind::hwc});
  if (!aligned) return best;
  const bool cuts = walk.planes && walk.operand == Operand::I;  // blocks affect only windows
  const auto best_block = [&](std::size_t coordinate) {
    SafeShare most{0, 1};
    Int block = cuts ? 0 : 1;
    for (Int size = 1; cuts && size <= walk.size[coordinate]; ++size) {
      if (walk.size[coordinate] % size != 0) continue;
      const SafeShare share = share_along(walk, coordinate, size);
      if (block != 0 && share.safe * most.period <= most.safe * share.period) continue;
      block = size;
      most = share;
    }
    return block;
  };
  if (cuts)
    consider({LayoutKind::row_aligned, best_block(2), best_block(3)});
  else
    consider({LayoutKind::row_aligned, 1, walk.planes ? walk.size[3] : 1});
  return best;
}

Int buffered_reuse(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                   Operand operand, const Boundary& boundary) {
  Int buffered = 1;
  for (const Loop& loop : mapping.nest.loops)
    if (loop.at[index_of(operand)] == boundary.to && boundary.to != machine.innermost(operand) &&
        !layer.is_relevant(loop.dim, operand))
      buffered *= loop.factor;
  return buffered;
}

Int hybrid_rows(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                Operand operand, const Boundary& boundary) {
  const PimNest nest(layer, machine, mapping);
  return hybrid_rows(layer, nest.row_walk(operand, boundary), mapping.layouts[index_of(operand)],
                     buffered_reuse(layer, machine, mapping, operand, boundary));
}

}  // namespace nestor::pim
