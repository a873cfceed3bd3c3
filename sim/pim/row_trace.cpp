#include "sim/pim/row_trace.h"

namespace nestor::sim::pim {

using nestor::pim::Coordinates;
using nestor::pim::Layout;
using nestor::pim::LayoutKind;
using nestor::pim::RowWalk;
using nestor::pim::VisitLoop;

RowTracer::RowTracer(const RowGeometry& geometry, AccessLog* log)
    : geometry_(geometry), open_(static_cast<std::size_t>(geometry.banks), -1), log_(log) {
  constexpr Int most_kept = Int{1} << 16;
  for (std::size_t c = 0; c < parts_.size(); ++c)
    for (Int value = 0; value < geometry.size[c] && geometry.size[c] <= most_kept; ++value)
      parts_[c].push_back(part(c, value));
}

RowTracer::Place RowTracer::part(std::size_t c, Int value) const {
  const auto kept = static_cast<std::size_t>(value);
  if (kept < parts_[c].size()) return parts_[c][kept];
  Coordinates at{};
  at[c] = value;
  const Int row = address(at) / geometry_.row_elements;
  return {row, address(at) % geometry_.row_elements, row % geometry_.banks};
}

RowTracer::Place RowTracer::sum(const Place& a, const Place& b, const RowGeometry& geometry) {
  const Int within = a.within + b.within;
  const Int next = static_cast<Int>(within >= geometry.row_elements);
  const Int bank = a.bank + b.bank + next;
  return {a.row + b.row + next, within - next * geometry.row_elements,
          bank >= geometry.banks ? bank - geometry.banks : bank};
}

template <typename Note>
void RowTracer::access_noting(const Place& line, std::size_t c, Int start, Int count, const Note& note) {
  const RowGeometry geometry = geometry_;
  const Place* const kept = parts_[c].empty() ? nullptr : parts_[c].data() + start;
  Int* const open = open_.data();
  Int opened = 0;
  for (Int i = 0; i < count; ++i) {
    const Place at = sum(line, kept != nullptr ? kept[i] : part(c, start + i), geometry);
    const bool opens = open[at.bank] != at.row;
    opened += static_cast<Int>(opens);
    open[at.bank] = at.row;
    note(at, opens);
  }
  activations_ += opened;
  accesses_ += count;
}

void RowTracer::access_line(const Place& line, std::size_t c, Int start, Int count) {
  if (log_ == nullptr || !log_->complete)
    return access_noting(line, c, start, count, [](const Place&, bool) {});
  access_noting(line, c, start, count, [this](const Place& at, bool opens) {
    log_->complete = log_->complete && log_->accesses.size() < log_->most;
    if (!log_->complete) return;
    log_->accesses.push_back({.step = step_,
                              .operand = geometry_.operand,
                              .writes = writes_,
                              .opens = opens,
                              .address = at.row * geometry_.row_elements + at.within,
                              .row = at.row,
                              .bank = at.bank});
  });
}

Int RowTracer::rows_filled(Int elements) const {
  const Int row = geometry_.row_elements;
  return (elements + row - 1) / row * row;
}

Int RowTracer::address(const Coordinates& at) const {
  const auto& [images, channels, height, width] = geometry_.size;
  switch (geometry_.layout.kind) {
    case LayoutKind::sequential:
      return ((at[0] * channels + at[1]) * height + at[2]) * width + at[3];
    case LayoutKind::hwc:
      return ((at[0] * height + at[2]) * width + at[3]) * channels + at[1];
    case LayoutKind::row_aligned:
      break;
  }
  if (geometry_.operand == Operand::W)
    return at[0] * rows_filled(channels * height * width) + (at[1] * height + at[2]) * width + at[3];
  const Int tall = geometry_.layout.block_height;
  const Int wide = geometry_.layout.block_width;
  const Int block = at[2] / tall * (width / wide) + at[3] / wide;
  return (at[0] * channels + at[1]) * rows_filled(height * width) + block * tall * wide +
         at[2] % tall * wide + at[3] % wide;
}

void RowTracer::visit(const Coordinates& start, const Coordinates& tile) {
  std::size_t line = tile.size() - 1;  // the last coordinate with more than one value
  Place at;
  for (; line > 0 && tile[line] == 1; --line) at = sum(at, part(line, start[line]), geometry_);
  access_box(start, tile, 0, line, at);
}

void RowTracer::access_box(const Coordinates& start, const Coordinates& tile, std::size_t c, std::size_t line,
                           const Place& at) {
  if (c == line) return access_line(at, c, start[c], tile[c]);
  for (Int i = 0; i < tile[c]; ++i)
    access_box(start, tile, c + 1, line, sum(at, part(c, start[c] + i), geometry_));
}

namespace {

// Visits the tiles of the loops from `depth` inward. `repeated` is true if an outer loop repeats an earlier
// visit.
void run_loops(const RowWalk& walk, std::size_t depth, Coordinates start, bool repeated, RowTracer& tracer) {
  if (depth == walk.loops.size()) {
    tracer.visit(start, walk.tile);
    if (walk.operand == Operand::O && repeated) tracer.visit(start, walk.tile);  // read, then written
    return;
  }
  const VisitLoop& loop = walk.loops[depth];
  for (Int i = 0; i < loop.count; ++i) {
    const bool repeats = loop.coordinate == VisitLoop::repeats;
    run_loops(walk, depth + 1, start, repeated || (repeats && i > 0), tracer);
    if (!repeats) start[loop.coordinate] += loop.step;
  }
}

}  // namespace

RowTrace trace_rows(const RowWalk& walk, const Layout& layout) {
  RowTracer tracer({walk.operand, walk.size, walk.row_elements, walk.banks, layout});
  run_loops(walk, 0, {}, false, tracer);
  return {tracer.activations(), tracer.accesses()};
}

}  // namespace nestor::sim::pim
