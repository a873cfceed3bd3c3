#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

VisitLoop visit_loop(const LayerShape& layer, Operand operand, Dim dim, Int count, Int inside) {
  if (!layer.is_relevant(dim, operand)) return {.count = count};
  const auto along = [&](std::uint8_t coordinate, Int scale) {
    return VisitLoop{.coordinate = coordinate, .count = count, .step = inside * scale};
  };
  const bool input = operand == Operand::I;
  switch (dim) {
    case Dim::N:
    case Dim::K:
      return along(operand == Operand::O && dim == Dim::K ? 1 : 0, 1);
    case Dim::C:
      return along(1, 1);
    case Dim::P:
      return along(2, input ? layer.stride[0] : 1);
    case Dim::Q:
      return along(3, input ? layer.stride[1] : 1);
    case Dim::R:
      return along(2, input ? layer.dilation[0] : 1);
    case Dim::S:
      return along(3, input ? layer.dilation[1] : 1);
  }
  return {.count = count};
}

Coordinates tile_box(const LayerShape& layer, Operand operand, const Extents& extents) {
  const auto of = [&extents](Dim dim) { return extents[index_of(dim)]; };
  switch (operand) {
    case Operand::I:
      return {of(Dim::N), of(Dim::C), input_span(layer, 0, of(Dim::P), of(Dim::R)),
              input_span(layer, 1, of(Dim::Q), of(Dim::S))};
    case Operand::W:
      return {of(Dim::K), of(Dim::C), of(Dim::R), of(Dim::S)};
    case Operand::O:
      return {of(Dim::N), of(Dim::K), of(Dim::P), of(Dim::Q)};
  }
  return {1, 1, 1, 1};
}

Coordinates read_places(const LayerShape& layer, Operand operand, const Extents& extents,
                        Coordinates& steps) {
  Coordinates places = tile_box(layer, operand, extents);
  steps = {1, 1, 1, 1};
  if (operand != Operand::I) return places;
  for (std::size_t side = 0; side < 2; ++side) {
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
  return layout.kind == LayoutKind::row_aligned && walk.operand != Operand::W && layout.block_height > 1 &&
         layout.block_width < walk.size[3];
}

bool layout_fits(Operand operand, const Coordinates& size, const Layout& layout) {
  switch (layout.kind) {
    case LayoutKind::sequential:
      return true;
    case LayoutKind::hwc:
      return operand != Operand::W;
    case LayoutKind::row_aligned:
      return operand == Operand::W ||
             (layout.block_height > 0 && layout.block_width > 0 && size[2] % layout.block_height == 0 &&
              size[3] % layout.block_width == 0);
  }
  return false;
}

}  // namespace nestor::pim
