// Tile arithmetic that every reading of the loop-nest contract starts from: elements of a tile
// (model-cim, section 1). Only definitions of the workload belong here, no cost.
#pragma once

#include "model/loopnest/layer.h"

namespace nestor {

/// Input rows (direction 0) or columns (direction 1) that `outputs` outputs and `taps` kernel taps span.
constexpr Int input_span(const LayerShape& layer, std::size_t direction, Int outputs, Int taps) {
  return (outputs - 1) * layer.stride[direction] + (taps - 1) * layer.dilation[direction] + 1;
}

/// Elements of an operand's tile with per-dimension extents `f`.
constexpr Int elements(const LayerShape& layer, Operand operand, const Extents& f) {
  const auto of = [&f](Dim dim) { return f[index_of(dim)]; };
  switch (operand) {
    case Operand::W:
      return of(Dim::K) * of(Dim::C) * of(Dim::R) * of(Dim::S);
    case Operand::O:
      return of(Dim::N) * of(Dim::K) * of(Dim::P) * of(Dim::Q);
    case Operand::I:
      return of(Dim::N) * of(Dim::C) * input_span(layer, 0, of(Dim::P), of(Dim::R)) *
             input_span(layer, 1, of(Dim::Q), of(Dim::S));
  }
  return 0;
}

}  // namespace nestor
