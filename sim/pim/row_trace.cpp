#include "sim/pim/row_trace.h"

namespace nestor::sim::pim {

using nestor::pim::Coordinates;
using nestor::pim::Layout;
using nestor::pim::LayoutKind;
using nestor::pim::RowWalk;
using nestor::pim::VisitLoop;

void RowTracer::access(const Coordinates& at) {
  const Int row = address(at) / geometry_.row_elements;
  Int& open = open_[static_cast<std::size_t>(row % geometry_.banks)];
  if (open != row) ++activations_;
  open = row;
  ++accesses_;
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
  Coordinates at{};
  for (at[0] = start[0]; at[0] < start[0] + tile[0]; ++at[0])
    for (at[1] = start[1]; at[1] < start[1] + tile[1]; ++at[1])
      for (at[2] = start[2]; at[2] < start[2] + tile[2]; ++at[2])
        for (at[3] = start[3]; at[3] < start[3] + tile[3]; ++at[3]) access(at);
}

namespace {

// The loops from `depth` inward. `repeated`: some loop outside repeats a visit that was made before.
void run_loops(const RowWalk& walk, std::size_t depth, Coordinates start, bool repeated, RowTracer& tracer) {
  if (depth == walk.loops.size()) {
    tracer.visit(start, walk.tile);
    if (walk.operand == Operand::O && repeated) tracer.visit(start, walk.tile);  // read before, now written
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
