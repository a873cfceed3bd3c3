#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

VisitLoop visit_loop(const LayerShape& layer, Operand operand, Dim dim, Int count, Int inside) {
  const std::uint8_t coordinate = coordinate_of(layer, operand, dim);
  if (coordinate == VisitLoop::repeats) return {.count = count};
  Int scale = 1;
  if (coordinate >= 2 && slides(layer, operand, coordinate - 2U)) {
    const bool output = dim == Dim::P || dim == Dim::Q;
    scale = (output ? layer.stride : layer.dilation)[coordinate - 2U];
  }
  return {.coordinate = coordinate, .count = count, .step = inside * scale};
}

Coordinates tile_box(const LayerShape& layer, Operand operand, const Extents& extents) {
  Coordinates box{1, 1, 1, 1};
  for (const Dim dim : all_dims)
    if (const auto coordinate = coordinate_of(layer, operand, dim); coordinate != VisitLoop::repeats)
      box[coordinate] *= extents[index_of(dim)];
  const auto of = [&extents](Dim dim) { return extents[index_of(dim)]; };
  if (slides(layer, operand, 0)) box[2] = input_span(layer, 0, of(Dim::P), of(Dim::R));
  if (slides(layer, operand, 1)) box[3] = input_span(layer, 1, of(Dim::Q), of(Dim::S));
  return box;
}

Coordinates read_places(const LayerShape& layer, Operand operand, const Extents& extents,
                        Coordinates& steps) {
  Coordinates places = tile_box(layer, operand, extents);
  steps = {1, 1, 1, 1};
  for (std::size_t side = 0; side < 2; ++side) {
    if (!slides(layer, operand, side)) continue;
    const Int outputs = extents[index_of(side == 0 ? Dim::P : Dim::Q)];
    const Int taps = extents[index_of(side == 0 ? Dim::R : Dim::S)];
    const Int stride = layer.stride[side];
    const Int dilation = layer.dilation[side];
    if (fills_gaps(outputs, taps, stride, dilation)) continue;
    const bool along_outputs = (outputs - 1) * stride >= (taps - 1) * dilation;
    places[2 + side] = along_outputs ? outputs : taps;
    steps[2 + side] = along_outputs ? stride : dilation;
  }
  return places;
}

bool sums_return(const RowWalk& walk) {
  if (walk.operand != Operand::O) return false;
  for (const VisitLoop& loop : walk.loops)
    if (loop.coordinate == VisitLoop::repeats && loop.count > 1) return true;
  return false;
}

bool cuts_planes(const RowWalk& walk, const Layout& layout) {
  return layout.kind == LayoutKind::row_aligned && walk.planes && layout.block_height > 1 &&
         layout.block_width < walk.size[3];
}

bool layout_fits(bool planes, const Coordinates& size, const Layout& layout) {
  switch (layout.kind) {
    case LayoutKind::sequential:
      return true;
    case LayoutKind::hwc:
      return planes;
    case LayoutKind::row_aligned:
      return !planes || (layout.block_height > 0 && layout.block_width > 0 &&
                         size[2] % layout.block_height == 0 && size[3] % layout.block_width == 0);
  }
  return false;
}

}  // namespace nestor::pim
