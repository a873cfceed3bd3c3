#include "check/pim/rows.h"

#include <numeric>
#include <unordered_map>

namespace nestor::check::pim {
namespace {

bool cuts_planes(const Walk& walk, const Layout& layout) {
  return layout.kind == Layout::row_aligned && walk.operand != W && layout.height > 1 &&
         layout.width < walk.size[3];
}

// Returns the number of elements between neighbours along each coordinate. If planes are cut, only the
// strides between planes are used.
Coordinates strides_of(const Walk& walk, const Layout& layout) {
  const auto& [n, c, h, w] = walk.size;
  const auto in_rows = [&](Int elements) { return times(ceiling(elements, walk.row), walk.row); };
  if (layout.kind == Layout::hwc) return {times(h, w, c), 1, times(w, c), c};
  if (layout.kind == Layout::sequential) return {times(c, h, w), times(h, w), w, 1};
  if (walk.operand == W) return {in_rows(times(c, h, w)), times(h, w), w, 1};
  return {times(c, in_rows(times(h, w))), in_rows(times(h, w)), w, 1};
}

// A sequence of accesses: the number of rows that they open beyond the first row of each bank, and the first
// and last row per bank, or -1. Row numbers are relative to the row of the first address.
struct Accesses {
  explicit Accesses(Int banks) : first(static_cast<std::size_t>(banks), -1), last(first) {}
  Int opened = 0;
  std::vector<Int> first;
  std::vector<Int> last;

  void open(Int from, Int to) {
    const std::size_t bank = static_cast<std::size_t>(from) % first.size();
    if (first[bank] < 0)
      first[bank] = from;
    else if (last[bank] != from)
      opened = plus(opened, 1);
    last[bank] = to;
  }
  void append(const Accesses& next, Int rows_further) {
    for (std::size_t bank = 0; bank < first.size(); ++bank)
      if (next.first[bank] >= 0)
        open(plus(next.first[bank], rows_further), plus(next.last[bank], rows_further));
    opened = plus(opened, next.opened);
  }
};

// Counts the rows that a sequence of visits opens. The sequence is a nest of levels, each with a stride over
// addresses. The result of a level depends only on its first address within a row, or, in a cut plane, on its
// position in the plane, and on whether the tile was visited before. Each result is composed of the results
// of inner levels and is cached.
class Counter {
 public:
  Counter(const Walk& walk, const Layout& layout)
      : row_(walk.row), banks_(walk.banks), layout_(layout), plane_width_(walk.size[3]) {
    is_cut_ = cuts_planes(walk, layout);
    const auto strides = strides_of(walk, layout);
    const auto add = [&](std::size_t coordinate, Int count, Int step) {
      if (count == 1) return;
      Level level{.count = count, .repeats = coordinate == 4};
      returns_ = returns_ || (level.repeats && walk.operand == O);
      if (is_cut_ && coordinate == 2)
        level.down = step;
      else if (is_cut_ && coordinate == 3)
        level.across = step;
      else if (!level.repeats)
        level.stride = times(strides[coordinate], step);
      // A level that continues the previous one is joined with it.
      const bool joins = levels_.size() > visit_ && !is_cut_ && !level.repeats && !levels_.back().repeats &&
                         levels_.back().stride == times(level.stride, count);
      if (joins) {
        level.count = times(count, levels_.back().count);
        levels_.pop_back();
      }
      levels_.push_back(level);
    };
    for (const Walk::Loop& loop : walk.loops) add(loop.coordinate, loop.count, loop.step);
    visit_ = levels_.size();
    for (std::size_t c = 0; c < 4; ++c)
      if (!is_cut_ || c != 3) add(c, walk.tile[c], 1);
    line_ = walk.tile[3];
  }

  Int opened() {
    const Accesses all = from(0, {});
    Int opened = all.opened;
    for (const Int row : all.first)
      if (row >= 0) opened = plus(opened, 1);
    return opened;
  }

 private:
  struct Level {
    Int count = 1;
    Int stride = 0;
    Int down = 0;  // step along the height of a cut plane
    Int across = 0;
    bool repeats = false;
  };
  struct Place {
    Int address = 0;
    Int h = 0;  // position in a cut plane
    Int w = 0;
    bool comes_back = false;  // true if the tile was visited before: its sums are read, then written
  };

  // Returns the accesses of all levels from this one on. Row numbers are relative to the row of the first
  // address.
  Accesses from(std::size_t level, Place place) {
    place.address %= row_;
    if (place.h >> 20 != 0 || place.w >> 20 != 0 || level >> 7 != 0) throw TooLarge();
    const auto key = static_cast<std::uint64_t>(is_cut_ ? place.h << 20 | place.w : place.address) << 8U |
                     level << 1U | static_cast<std::uint64_t>(place.comes_back);
    const auto found = kept_.find(key);
    if (found != kept_.end()) return found->second;
    Accesses all(banks_);
    if (level == visit_ && place.comes_back) {
      place.comes_back = false;
      all = from(level, place);
      all.append(Accesses(all), 0);
    } else if (level == levels_.size()) {
      all = is_cut_ ? line(place) : run(0, 1);
    } else if (const Level& outer = levels_[level]; outer.repeats) {
      all = from(level + 1, place);
      place.comes_back = returns_;
      all.append(repeated(from(level + 1, place), outer.count - 1, 0), 0);
    } else if (!is_cut_ && level + 1 == levels_.size() && level >= visit_ && outer.stride <= row_) {
      all = run(place.address, times(outer.count - 1, outer.stride) + 1);
    } else {
      all = steps(level, place);
    }
    return kept_.emplace(key, all).first->second;
  }

  // Returns the accesses of all steps of a level. After `period` steps along addresses, the accesses repeat,
  // shifted by some rows.
  Accesses steps(std::size_t level, const Place& place) {
    const Level& outer = levels_[level];
    const bool in_plane = outer.down != 0 || outer.across != 0;
    const Int period = in_plane ? outer.count : std::min(outer.count, row_ / std::gcd(row_, outer.stride));
    const Int periods = outer.count / period;
    Accesses once(banks_);
    const auto step = [&](Accesses& all, Int i) {
      Place next = place;
      next.address = plus(next.address, times(i, outer.stride));
      next.h = plus(next.h, times(i, outer.down));
      next.w = plus(next.w, times(i, outer.across));
      all.append(from(level + 1, next), next.address / row_);
    };
    for (Int i = 0; i < period; ++i) step(once, i);
    if (periods == 1 && outer.count == period) return once;
    Accesses all = repeated(once, periods, times(period, outer.stride) / row_);
    for (Int i = periods * period; i < outer.count; ++i) step(all, i);
    return all;
  }

  Accesses repeated(Accesses once, Int count, Int rows_further) const {
    Accesses all(banks_);
    for (Int done = 0, size = 1; count != 0; count /= 2, size *= 2) {
      if (count % 2 != 0) {
        all.append(once, times(done, rows_further));
        done += size;
      }
      if (count > 1) once.append(Accesses(once), times(size, rows_further));
    }
    return all;
  }

  // Returns the accesses to consecutive rows, in ascending order.
  Accesses run(Int address, Int reach) const {
    Accesses all(banks_);
    const Int begin = address / row_;
    const Int end = (plus(address, reach) - 1) / row_ + 1;
    for (Int row = begin; row < std::min(end, begin + banks_); ++row) all.open(row, row);
    for (Int row = std::max(begin, end - banks_); row < end; ++row)
      all.last[static_cast<std::size_t>(row % banks_)] = row;
    all.opened = std::max(Int{0}, end - begin - banks_);
    return all;
  }

  // Returns the accesses to one line of a tile in a cut plane, along the width from `place` on.
  Accesses line(const Place& place) const {
    Accesses all(banks_);
    const auto& [kind, height, width] = layout_;
    for (Int w = place.w; w < place.w + line_;) {
      const Int end = std::min(place.w + line_, (w / width + 1) * width);
      const Int block = times(place.h / height, plane_width_ / width) + w / width;
      all.append(run(plus(times(block, height, width), place.h % height * width, w % width), end - w), 0);
      w = end;
    }
    return all;
  }

  Int row_;
  Int banks_;
  Layout layout_;
  Int plane_width_;
  bool is_cut_ = false;
  bool returns_ = false;
  Int line_ = 1;
  std::vector<Level> levels_;  // levels, outermost first
  std::size_t visit_ = 0;      // the first level inside a visit
  std::unordered_map<std::uint64_t, Accesses> kept_;
};

// Returns the minimum number of rows that a box of coordinates touches at any position. The box has the
// coordinates from `first` on.
Int rows_of_box(const Walk& walk, const Coordinates& strides, std::size_t first) {
  std::vector<std::size_t> order = {0, 1, 2, 3};
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return strides[a] < strides[b]; });
  Int span = 1;
  Int rows = 1;
  Int elements = 1;
  bool leaves_none_out = true;
  for (const std::size_t c : order) {
    if (c < first || walk.tile[c] == 1) continue;
    const Int gap = strides[c] - (span - 1);
    elements = times(elements, walk.tile[c]);
    span = plus(span, times(walk.tile[c] - 1, strides[c]));
    leaves_none_out = leaves_none_out && gap <= walk.row;
    if (leaves_none_out)
      rows = ceiling(span, walk.row);
    else  // neighbours share at most one row
      rows = gap >= walk.row ? times(walk.tile[c], rows) : times(walk.tile[c], rows - 1) + 1;
  }
  return std::max(rows, ceiling(elements, walk.row));
}

// Returns the bound (5.1) for one pass.
Int floor_of_pass(const Walk& walk, const Layout& layout) {
  const auto& [n, c, h, w] = walk.tile;
  if (cuts_planes(walk, layout)) {
    const Int plane = times(n, c, ceiling(times(h, w), walk.row));
    const Int blocks = std::max(Int{1}, w / layout.width);
    const Int apart = times(layout.height, layout.width);
    const Int across = apart >= walk.row ? blocks : times(blocks - 1, apart) / walk.row + 1;
    return std::max(plane - walk.banks, times(n, c, h, across - walk.banks));
  }
  Int floor = 0;
  Int runs = 1;
  for (std::size_t first = 0; first < 4; ++first) {
    floor = std::max(floor, times(runs, rows_of_box(walk, strides_of(walk, layout), first) - walk.banks));
    runs = times(runs, walk.tile[first]);
  }
  return floor;
}

// Returns the minimum of `of_layout` over the layouts. For aligned planes, whether cut or not, it assumes
// that each plane has its own rows.
template <typename OfLayout>
Int least_of_layouts(const Walk& walk, const CheckedPimMachine& machine, OfLayout of_layout) {
  const auto& [n, c, h, w] = walk.tile;
  const Int aligned = times(n, c, ceiling(times(h, w), walk.row)) - walk.banks;
  Int least = std::numeric_limits<Int>::max();
  for (const Layout& layout : layouts_for(machine, walk.operand, {1, 1, 1, 1})) {
    const bool planes = layout.kind == Layout::row_aligned && walk.operand != W;
    least = std::min(least, planes ? aligned : of_layout(layout));
  }
  return std::max(Int{0}, least);
}

// True if the places p stride + r dilation have no gaps.
bool fills_gaps(Int outputs, Int taps, Int stride, Int dilation) {
  return stride == 1 ? dilation <= outputs || taps == 1 : dilation == 1 && (stride <= taps || outputs == 1);
}

}  // namespace

Coordinates box_of(const Layer& layer, Operand operand, const Extents& tile) {
  if (operand == W) return {tile[K], tile[C], tile[R], tile[S]};
  if (operand == O) return {tile[N], tile[K], tile[P], tile[Q]};
  const auto window = [&](std::size_t outer, std::size_t inner, std::size_t axis) {
    return plus(times(tile[outer] - 1, layer.stride[axis]), times(tile[inner] - 1, layer.dilation[axis]), 1);
  };
  return {tile[N], tile[C], window(P, R, 0), window(Q, S, 1)};
}

std::pair<std::size_t, Int> along(const Layer& layer, Operand operand, std::size_t dim) {
  if (!is_relevant(dim, operand)) return {4, 0};
  if (operand == W) return {dim == K ? 0 : dim == C ? 1 : dim == R ? 2 : 3, 1};
  if (dim == N) return {0, 1};
  if (dim == K || dim == C) return {1, 1};
  const std::size_t side = dim == P || dim == R ? 0 : 1;
  const Int scale = operand == O ? 1 : dim == P || dim == Q ? layer.stride[side] : layer.dilation[side];
  return {2 + side, scale};
}

std::vector<Layout> layouts_for(const CheckedPimMachine& machine, Operand operand, const Coordinates& size) {
  std::vector<Layout> all;
  if (machine.layouts[Layout::hwc] && operand != W) all.push_back({Layout::hwc});
  if (machine.layouts[Layout::sequential] || (all.empty() && !machine.layouts[Layout::row_aligned]))
    all.insert(all.begin(), {Layout::sequential});
  if (!machine.layouts[Layout::row_aligned]) return all;
  all.push_back({Layout::row_aligned, 1, operand == W ? 1 : size[3]});
  if (operand == W || size[2] == 1) return all;
  for (const Int height : divisors_of(size[2]))
    for (const Int width : divisors_of(size[3]))
      if (height > 1 && width < size[3]) all.push_back({Layout::row_aligned, height, width});
  return all;
}

Int rows_opened(const Walk& walk, const Layout& layout) { return Counter(walk, layout).opened(); }

Int floor_of_pass(const Walk& walk, const CheckedPimMachine& machine) {
  return least_of_layouts(walk, machine, [&](const Layout& layout) { return floor_of_pass(walk, layout); });
}

// Returns the bound (5.2) for one iteration. If strides or dilations leave gaps, the bound covers only the
// longer of two sequences of places: those of the outputs for one tap, or those of the taps for one output.
Int floor_of_sweep(const Walk& walk, const Layer& layer, const CheckedPimMachine& machine,
                   const Extents& tile) {
  Walk places = walk;
  places.tile = box_of(layer, walk.operand, tile);
  Coordinates steps = {1, 1, 1, 1};
  for (std::size_t side = 0; side < 2 && walk.operand == I; ++side) {
    const Int outputs = tile[P + side];
    const Int taps = tile[R + side];
    const Int stride = layer.stride[side];
    const Int dilation = layer.dilation[side];
    if (fills_gaps(outputs, taps, stride, dilation)) continue;
    const bool is_of_outputs = times(outputs - 1, stride) >= times(taps - 1, dilation);
    places.tile[2 + side] = is_of_outputs ? outputs : taps;
    steps[2 + side] = is_of_outputs ? stride : dilation;
  }
  return least_of_layouts(places, machine, [&](const Layout& layout) {
    Coordinates strides = strides_of(places, layout);
    for (std::size_t c = 0; c < 4; ++c) strides[c] = times(strides[c], steps[c]);
    return rows_of_box(places, strides, 0) - walk.banks;
  });
}

Int elements_read(const Layer& layer, Operand operand, const Extents& tile) {
  if (operand != I) return layer.elements(operand, tile);
  Int elements = times(tile[N], tile[C]);
  const auto box = box_of(layer, I, tile);
  for (std::size_t side = 0; side < 2; ++side) {
    const Int outputs = tile[P + side];
    const Int taps = tile[R + side];
    const bool fills = fills_gaps(outputs, taps, layer.stride[side], layer.dilation[side]);
    elements = times(elements, fills ? box[2 + side] : outputs + taps - 1);
  }
  return elements;
}

// Tries layouts in the order of their lower bounds, until no bound is below the lowest exact number.
Int FewestRows::operator()(const Walk& walk, const CheckedPimMachine& machine, Int enough) {
  std::string key = std::to_string(walk.operand);
  Int visits = 1;
  Int distinct = 1;
  for (const Walk::Loop& loop : walk.loops) {
    for (const Int number : {static_cast<Int>(loop.coordinate), loop.count, loop.step})
      key += ' ' + std::to_string(number);
    visits = times(visits, loop.count);
    if (loop.coordinate != 4) distinct = times(distinct, loop.count);
  }
  for (std::size_t c = 0; c < 4; ++c)
    key += ',' + std::to_string(walk.tile[c]) + ',' + std::to_string(walk.size[c]);
  key += ',' + std::to_string(walk.row);
  decltype(counted_)::const_accessor known;
  if (counted_.find(known, key)) return known->second;
  const Int passes = walk.operand == O && visits > distinct ? plus(visits, visits - distinct) : visits;
  std::vector<std::pair<Int, Layout>> floors;
  for (const Layout& layout : layouts_for(machine, walk.operand, walk.size))
    floors.emplace_back(times(passes, floor_of_pass(walk, layout)), layout);
  std::stable_sort(floors.begin(), floors.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Int least = std::numeric_limits<Int>::max();
  for (const auto& [floor, layout] : floors) {
    if (floor >= least) break;
    least = std::min(least, rows_opened(walk, layout));
    if (least <= enough) return least;
  }
  counted_.insert({key, least});
  return least;
}

}  // namespace nestor::check::pim
