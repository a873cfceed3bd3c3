// Tile arithmetic that every reading of the loop-nest contract starts from: elements of a tile
// (docs/models/cim.md (1.1) to (1.3)). Only definitions of the workload belong here, no cost.
#pragma once

#include "model/loopnest/layer.h"

namespace nestor {

/// Input rows (direction 0) or columns (direction 1) that `outputs` outputs and `taps` kernel taps span.
constexpr Int input_span(const LayerShape& layer, std::size_t direction, Int outputs, Int taps) {
  return (outputs - 1) * layer.stride[direction] + (taps - 1) * layer.dilation[direction] + 1;
}

/// Whether an operand's tiles are windows along rows (direction 0) or columns (1): it sees outputs and taps.
constexpr bool slides(const LayerShape& layer, Operand operand, std::size_t direction) {
  return layer.is_relevant(direction == 0 ? Dim::P : Dim::Q, operand) &&
         layer.is_relevant(direction == 0 ? Dim::R : Dim::S, operand);
}

/// Elements of a tile whose extents are `of(dim)`, 1 in dimensions that its operand does not see; along rows
/// and columns it may be a window.
template <typename ExtentOf>
constexpr Int elements_of(const LayerShape& layer, bool rows, bool columns, ExtentOf of) {
  return of(Dim::G) * of(Dim::N) * of(Dim::K) * of(Dim::C) *
         (rows ? input_span(layer, 0, of(Dim::P), of(Dim::R)) : of(Dim::P) * of(Dim::R)) *
         (columns ? input_span(layer, 1, of(Dim::Q), of(Dim::S)) : of(Dim::Q) * of(Dim::S));
}

/// Elements of an operand's tile with per-dimension extents `f`: (1.1) of W, (1.2) of O, (1.3) of I.
constexpr Int elements(const LayerShape& layer, Operand operand, const Extents& f) {
  const DimSet dims = layer.relevance.of(operand);
  return elements_of(layer, slides(layer, operand, 0), slides(layer, operand, 1),
                     [&](Dim dim) { return dims.contains(dim) ? f[index_of(dim)] : 1; });
}

/// Bits of an operand whose extents are `whole`, in the widest form that its elements take.
constexpr Int whole_bits(const LayerShape& layer, Operand operand, const Extents& whole) {
  return elements(layer, operand, whole) * layer.bits.widest(operand);
}
constexpr Int whole_bits(const LayerShape& layer, Operand operand) {
  return whole_bits(layer, operand, layer.bounds);
}

}  // namespace nestor
