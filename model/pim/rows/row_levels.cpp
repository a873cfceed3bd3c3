#include "model/pim/rows/row_levels.h"

#include <numeric>

namespace nestor::pim {

Coordinates strides_of(const RowWalk& walk, const Layout& layout) {
  const Coordinates& size = walk.size;
  const auto aligned = [&](Int elements) {
    return ceil_divide(elements, walk.row_elements) * walk.row_elements;
  };
  if (layout.kind == LayoutKind::hwc) return {size[1] * size[2] * size[3], 1, size[3] * size[1], size[1]};
  if (layout.kind == LayoutKind::sequential)
    return {size[1] * size[2] * size[3], size[2] * size[3], size[3], 1};
  if (walk.operand == Operand::W)
    return {aligned(size[1] * size[2] * size[3]), size[2] * size[3], size[3], 1};
  const Int plane = aligned(size[2] * size[3]);
  return {size[1] * plane, plane, size[3], 1};
}

namespace {

class LevelMaker {
 public:
  LevelMaker(const RowWalk& walk, const Layout& layout) : walk_(walk), strides_(strides_of(walk, layout)) {
    made_.row_elements = walk.row_elements;
    made_.returns = sums_return(walk);
    made_.blocked = layout.kind == LayoutKind::row_aligned && walk.operand != Operand::W &&
                    layout.block_height != 1 && layout.block_width != walk.size[3];
    if (!made_.blocked) return;
    made_.block_height = layout.block_height;
    made_.block_width = layout.block_width;
  }

  RowLevels make() {
    for (const VisitLoop& loop : walk_.loops) add_loop(loop);
    made_.visit = made_.levels.size();
    for (std::size_t c = 0; c < coordinate_count; ++c)
      if (!made_.blocked || c < 3) add_loop({static_cast<std::uint8_t>(c), walk_.tile[c], 1});
    if (made_.blocked)
      made_.line = walk_.tile[3];
    else
      fold_ascending();
    for (RowLevel& level : made_.levels) level.period = period_of(level);
    return made_;
  }

 private:
  void add_loop(const VisitLoop& loop) {
    if (loop.count == 1) return;
    RowLevel level{.count = loop.count};
    if (loop.coordinate == VisitLoop::repeats)
      level.kind = RowLevel::Kind::repeat;
    else if (made_.blocked && loop.coordinate == 2)
      place_in_blocks(level, RowLevel::Kind::height, loop.step, made_.block_height,
                      made_.block_height * walk_.size[3]);
    else if (made_.blocked && loop.coordinate == 3)
      place_in_blocks(level, RowLevel::Kind::width, loop.step, made_.block_width,
                      made_.block_height * made_.block_width);
    else
      level.stride = loop.step * strides_[loop.coordinate];
    if (!merge(level)) made_.levels.push_back(level);
  }

  // A step of whole blocks is a plain stride.
  static void place_in_blocks(RowLevel& level, RowLevel::Kind kind, Int step, Int block, Int carry) {
    if (step % block == 0) {
      level.stride = step / block * carry;
      return;
    }
    level.kind = kind;
    level.step = step;
    level.stride = carry;
  }

  // A level that goes on where the next one outward has its next iteration is one with it. Visits stay apart
  // where they may happen twice.
  bool merge(const RowLevel& inner) {
    auto& levels = made_.levels;
    if (levels.empty() || (made_.returns && made_.visit == levels.size())) return false;
    RowLevel& outer = levels.back();
    if (outer.kind != inner.kind) return false;
    if (inner.kind == RowLevel::Kind::affine && outer.stride != inner.count * inner.stride) return false;
    if (inner.kind == RowLevel::Kind::height || inner.kind == RowLevel::Kind::width) {
      if (outer.step != inner.count * inner.step) return false;
      outer.step = inner.step;
    }
    outer.count *= inner.count;
    outer.stride = inner.stride;
    return true;
  }

  // Innermost levels that only ascend, by at most a row at a time, touch every row between their ends.
  void fold_ascending() {
    auto& levels = made_.levels;
    while (!levels.empty() && levels.back().kind == RowLevel::Kind::affine) {
      if (made_.returns && levels.size() == made_.visit) return;
      const RowLevel& level = levels.back();
      const Int gap = level.stride - made_.span;
      if (gap < 0 || gap > walk_.row_elements) return;
      made_.span += (level.count - 1) * level.stride;
      levels.pop_back();
      if (made_.visit > levels.size()) made_.visit = levels.size();
    }
  }

  Int period_of(const RowLevel& level) const {
    const Int row = walk_.row_elements;
    switch (level.kind) {
      case RowLevel::Kind::repeat:
        return 1;
      case RowLevel::Kind::affine:
        return row / std::gcd(level.stride % row, row);
      case RowLevel::Kind::height:
      case RowLevel::Kind::width: {
        const Int block = level.kind == RowLevel::Kind::height ? made_.block_height : made_.block_width;
        const Int steps = block / std::gcd(level.step, block);
        const Int carried = steps * level.step / block * (level.stride % row) % row;
        return steps * (row / std::gcd(carried, row));
      }
    }
    return 1;
  }

  const RowWalk& walk_;
  Coordinates strides_;
  RowLevels made_;
};

}  // namespace

RowLevels make_levels(const RowWalk& walk, const Layout& layout) { return LevelMaker(walk, layout).make(); }

}  // namespace nestor::pim
