#include "model/pim/rows/row_levels.h"

#include <numeric>
#include <utility>

namespace nestor::pim {

Coordinates strides_of(const RowWalk& walk, const Layout& layout) {
  const Coordinates& size = walk.size;
  const auto aligned = [&](Int elements) {
    return ceil_divide(elements, walk.row_elements) * walk.row_elements;
  };
  if (layout.kind == LayoutKind::hwc) return {size[1] * size[2] * size[3], 1, size[3] * size[1], size[1]};
  if (layout.kind == LayoutKind::sequential)
    return {size[1] * size[2] * size[3], size[2] * size[3], size[3], 1};
  if (!walk.planes) return {aligned(size[1] * size[2] * size[3]), size[2] * size[3], size[3], 1};
  const Int plane = aligned(size[2] * size[3]);
  return {size[1] * plane, plane, size[3], 1};
}

namespace {

class LevelMaker {
 public:
  LevelMaker(const RowWalk& walk, const Layout& layout, RowLevels& made)
      : walk_(walk),
        strides_(strides_of(walk, layout)),
        window_((walk.banks - 1) * walk.row_elements),
        made_(made) {
    made_.levels.clear();
    made_.row_elements = walk.row_elements;
    made_.blocked = cuts_planes(walk, layout);
    made_.block_height = made_.blocked ? layout.block_height : 1;
    made_.block_width = made_.blocked ? layout.block_width : 1;
    made_.span = 0;
  }

  void make(bool contents) {
    const std::size_t lasting = repeats_that_find_rows_open();
    for (std::size_t i = 0; i < walk_.loops.size(); ++i)
      if (i < lasting || walk_.loops[i].coordinate != VisitLoop::repeats) add_loop(walk_.loops[i]);
    made_.visit = made_.levels.size();
    for (std::size_t c = 0; c < coordinate_count; ++c)
      if (!made_.blocked || c < 3) add_loop({static_cast<std::uint8_t>(c), walk_.tile[c], 1});
    if (made_.blocked)
      made_.span = walk_.tile[3] - 1;
    else
      fold_dense();
    for (RowLevel& level : made_.levels) level.period = period_of(level);
    if (contents) sum_up();
  }

 private:
  // If all rows of a pass are in different banks, all of them are still open in the next pass. Returns the
  // number of outer loops whose repeats may open rows; repeats in all loops further inside find their rows
  // open. Sets made_.returns if repeated visits open rows.
  std::size_t repeats_that_find_rows_open() {
    Int travel = 0;  // bound on the distance between the first and the last address
    bool moves = false;
    for (std::size_t c = 0; c < coordinate_count; ++c)
      travel += travel_of({static_cast<std::uint8_t>(c), walk_.tile[c], 1}, moves);
    made_.returns = travel > window_ && sums_return(walk_);
    std::size_t first = walk_.loops.size();
    for (; first > 0 && travel <= window_; --first) travel += travel_of(walk_.loops[first - 1], moves);
    return travel <= window_ ? 0 : first;
  }
  Int travel_of(const VisitLoop& loop, bool& moves_in_plane) const {
    if (loop.coordinate == VisitLoop::repeats || loop.count == 1) return 0;
    if (!made_.blocked || loop.coordinate < 2)
      return (loop.count - 1) * loop.step * strides_[loop.coordinate];
    return std::exchange(moves_in_plane, true) ? 0 : walk_.size[2] * walk_.size[3] - 1;
  }

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

  // Merges a level into the next outer level if the outer level continues its iterations. Visits stay
  // separate if they may happen twice.
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

  // Folds innermost levels that touch every row between their ends, provided that each row is opened only
  // once.
  void fold_dense() {
    auto& levels = made_.levels;
    while (!levels.empty()) {
      const Int wider = dense_with(levels.size() - 1, made_.span);
      if (wider < 0) return;
      made_.span = wider;
      levels.pop_back();
      if (made_.visit > levels.size()) made_.visit = levels.size();
    }
  }

  // Returns the reach of a level around dense accesses of reach `span`, or -1 if the level skips rows or
  // opens a row more than once.
  Int dense_with(std::size_t depth, Int span) const {
    const RowLevel& level = made_.levels[depth];
    if (span < 0 || (made_.returns && depth + 1 == made_.visit && span > window_)) return -1;
    if (level.kind == RowLevel::Kind::repeat) return span <= window_ ? span : -1;
    const Int stride = stride_in_block(level);
    if (stride - span > walk_.row_elements) return -1;
    const Int wider = span + (level.count - 1) * stride;
    return stride >= span || wider <= window_ ? wider : -1;
  }
  Int stride_in_block(const RowLevel& level) const {
    if (level.kind == RowLevel::Kind::height) return level.step * made_.block_width;
    return level.kind == RowLevel::Kind::width ? level.step : level.stride;
  }

  void sum_up() {
    made_.contents.resize(made_.levels.size() + 1);
    RowContent content{.grain = walk_.row_elements, .dense = made_.span};
    if (made_.blocked) content.width_travel = made_.span;
    made_.contents[made_.levels.size()] = content;
    for (std::size_t depth = made_.levels.size(); depth-- > 0;) {
      const RowLevel& level = made_.levels[depth];
      content.dense = dense_with(depth, content.dense);
      if (level.kind != RowLevel::Kind::repeat)
        content.grain = std::gcd(content.grain, stride_in_block(level));
      if (level.kind == RowLevel::Kind::height) content.height_travel += (level.count - 1) * level.step;
      if (level.kind == RowLevel::Kind::width) content.width_travel += (level.count - 1) * level.step;
      split_by_travel(depth, content);
      made_.contents[depth] = content;
    }
  }

  // Selects the coarse levels. They are the levels that travel farthest; their number is chosen so that
  // fine_travel / coarse is least.
  void split_by_travel(std::size_t depth, RowContent& content) {
    // The new level is inserted in the order of travel, farthest first.
    const RowLevel& level = made_.levels[depth];
    if (level.kind != RowLevel::Kind::repeat) {
      const Int stride = stride_in_block(level);
      reaches_.push_back({(level.count - 1) * stride, std::gcd(stride, walk_.row_elements)});
      for (std::size_t i = reaches_.size() - 1; i > 0 && reaches_[i - 1].travel < reaches_[i].travel; --i)
        std::swap(reaches_[i - 1], reaches_[i]);
    }
    Int fine = made_.span;
    for (const Reach& reach : reaches_) fine += reach.travel;
    content.coarse = content.fine_travel = 1;
    Int coarse = walk_.row_elements;
    for (const Reach& reach : reaches_) {
      if (fine < coarse && fine * content.coarse < content.fine_travel * coarse) {
        content.coarse = coarse;
        content.fine_travel = fine;
      }
      coarse = std::gcd(coarse, reach.divisor);
      fine -= reach.travel;
      if (coarse == 1) break;
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

  struct Reach {
    Int travel = 0;
    Int divisor = 1;
  };

  const RowWalk& walk_;
  Coordinates strides_;
  Int window_;
  FixedVector<Reach, max_loops + coordinate_count> reaches_;  // reaches of the inside levels
  RowLevels& made_;
};

}  // namespace

void make_levels(const RowWalk& walk, const Layout& layout, RowLevels& made, bool contents) {
  LevelMaker(walk, layout, made).make(contents);
}

}  // namespace nestor::pim
