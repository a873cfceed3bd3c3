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
  const DimSet dims = layer.relevance.of(operand);
  const auto of = [&](Dim dim) { return dims.contains(dim) ? f[index_of(dim)] : 1; };
  const auto along = [&](std::size_t direction, Dim outputs, Dim taps) {
    if (dims.contains(outputs) && dims.contains(taps))
      return input_span(layer, direction, f[index_of(outputs)], f[index_of(taps)]);
    return of(outputs) * of(taps);
  };
  return of(Dim::N) * of(Dim::K) * of(Dim::C) * along(0, Dim::P, Dim::R) * along(1, Dim::Q, Dim::S);
}

}  // namespace nestor
