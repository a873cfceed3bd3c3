#include "model/pim/rows/activation_floor.h"

#include <algorithm>
#include <numeric>

#include "model/pim/rows/row_levels.h"

namespace nestor::pim {
namespace {

// Returns the least number of rows that `count` places at distance `stride` touch.
Int rows_of_places(Int count, Int stride, Int row) {
  return stride >= row ? count : (count - 1) * stride / row + 1;
}

// Returns a lower bound on the rows that a part of a tile touches. The part extends along the coordinates
// [first, 4); the other coordinates are fixed.
Int rows_of_box(const RowWalk& walk, const Coordinates& strides, std::size_t first) {
  std::array<std::size_t, coordinate_count> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  const Int row = walk.row_elements;
  Int span = 1;
  Int rows = 1;
  Int elements = 1;
  bool skips_none = true;  // true if every row between the ends is touched
  for (const std::size_t c : order) {
    if (c < first || walk.tile[c] == 1) continue;
    const Int gap = strides[c] - (span - 1);
    elements *= walk.tile[c];
    span += (walk.tile[c] - 1) * strides[c];
    skips_none &= gap <= row;
    if (skips_none)
      rows = ceil_divide(span, row);
    else  // neighbours share at most one row
      rows = gap >= row ? walk.tile[c] * rows : walk.tile[c] * (rows - 1) + 1;
  }
  return std::max(rows, ceil_divide(elements, row));
}

// Returns a lower bound on the rows that a tile touches in a plane cut into blocks, or in a line of this
// plane. The first columns of neighbouring blocks are one block size apart.
Int rows_of_plane(const RowWalk& walk, const Layout& layout, bool line_only) {
  const Int row = walk.row_elements;
  const Int block = layout.block_height * layout.block_width;
  const Int height = walk.tile[2];
  const Int width = walk.tile[3];
  const Int across = rows_of_places(std::max<Int>(1, width / layout.block_width), block, row);
  if (line_only) return across;
  const Int down =
      rows_of_places(std::max<Int>(1, height / layout.block_height), layout.block_height * walk.size[3], row);
  return std::max({ceil_divide(height * width, row), across, down});
}

}  // namespace

Int passes(const RowWalk& walk) {
  Int times = 1;
  Int distinct = 1;
  for (const VisitLoop& loop : walk.loops) {
    times *= loop.count;
    if (loop.coordinate != VisitLoop::repeats) distinct *= loop.count;
  }
  return sums_return(walk) ? 2 * times - distinct : times;
}

Int pass_floor(const RowWalk& walk, const Layout& layout) {
  const bool blocked = cuts_planes(walk, layout);
  const Coordinates strides = strides_of(walk, layout);
  Int floor = 0;
  Int runs = 1;
  for (std::size_t first = 0; first < coordinate_count; ++first) {
    Int rows = 0;
    if (!blocked)
      rows = rows_of_box(walk, strides, first);
    else if (first < 2)  // planes share no row
      rows = rows_of_plane(walk, layout, false) * walk.tile[1] * (first == 0 ? walk.tile[0] : 1);
    else
      rows = rows_of_plane(walk, layout, first == 3);
    floor = std::max(floor, runs * (rows - walk.banks));
    runs *= walk.tile[first];
  }
  return floor;
}

namespace {

// Returns the least value of `of_layout` over the allowed kinds. For row_aligned planes with blocks of any
// size, only the fact that planes share no row is used.
template <typename OfLayout>
Int least_of_layouts(const RowWalk& walk, LayoutSet allowed, OfLayout of_layout) {
  const bool hwc = walk.planes && allowed.contains(LayoutKind::hwc);
  const bool aligned = allowed.contains(LayoutKind::row_aligned);
  Int floor = std::numeric_limits<Int>::max();
  if (allowed.contains(LayoutKind::sequential) || (!hwc && !aligned)) floor = of_layout(Layout{});
  if (hwc) floor = std::min(floor, of_layout(Layout{.kind = LayoutKind::hwc}));
  if (!aligned) return floor;
  if (!walk.planes) return std::min(floor, of_layout(Layout{.kind = LayoutKind::row_aligned}));
  const Int rows = walk.tile[0] * walk.tile[1] * ceil_divide(walk.tile[2] * walk.tile[3], walk.row_elements);
  return std::min(floor, std::max<Int>(0, rows - walk.banks));
}

}  // namespace

Int pass_floor(const RowWalk& walk, LayoutSet allowed) {
  return least_of_layouts(walk, allowed, [&](const Layout& layout) { return pass_floor(walk, layout); });
}

Int sweep_floor(const RowWalk& walk, LayoutSet allowed, const Coordinates& steps) {
  return least_of_layouts(walk, allowed, [&](const Layout& layout) {
    Coordinates strides = strides_of(walk, layout);
    for (std::size_t c = 0; c < coordinate_count; ++c) strides[c] *= steps[c];
    return std::max<Int>(0, rows_of_box(walk, strides, 0) - walk.banks);
  });
}

}  // namespace nestor::pim
