// Tile arithmetic that the evaluators, searches and integer programs of the loop-nest spaces share: the
// elements of a tile (docs/models/cim.md (1.1) to (1.3)). The independent checkers do not use it. This file
// contains only definitions of the workload, no costs.
#pragma once

#include "model/loopnest/layer.h"

namespace nestor {

/// Returns the input rows (direction 0) or columns (direction 1) that `outputs` outputs and `taps` kernel
/// taps span.
constexpr Int input_span(const LayerShape& layer, std::size_t direction, Int outputs, Int taps) {
  return (outputs - 1) * layer.stride[direction] + (taps - 1) * layer.dilation[direction] + 1;
}

/// True if an operand's tiles are windows along rows (direction 0) or columns (1), that is, if outputs and
/// taps are both relevant.
constexpr bool slides(const LayerShape& layer, Operand operand, std::size_t direction) {
  return layer.is_relevant(direction == 0 ? Dim::P : Dim::Q, operand) &&
         layer.is_relevant(direction == 0 ? Dim::R : Dim::S, operand);
}

/// Returns the elements of a tile. `of(dim)` is its extent, or 1 in irrelevant dimensions. `rows` and
/// `columns` are true if the tile is a window along that direction.
template <typename ExtentOf>
constexpr Int elements_of(const LayerShape& layer, bool rows, bool columns, ExtentOf of) {
  return of(Dim::G) * of(Dim::N) * of(Dim::K) * of(Dim::C) *
         (rows ? input_span(layer, 0, of(Dim::P), of(Dim::R)) : of(Dim::P) * of(Dim::R)) *
         (columns ? input_span(layer, 1, of(Dim::Q), of(Dim::S)) : of(Dim::Q) * of(Dim::S));
}

/// Returns the elements of an operand's tile with per-dimension extents `f`: (1.1) for W, (1.2) for O, (1.3)
/// for I.
constexpr Int elements(const LayerShape& layer, Operand operand, const Extents& f) {
  const DimSet dims = layer.relevance.of(operand);
  return elements_of(layer, slides(layer, operand, 0), slides(layer, operand, 1),
                     [&](Dim dim) { return dims.contains(dim) ? f[index_of(dim)] : 1; });
}

/// Returns the bits of an operand with extents `whole`, at the largest width of its elements.
constexpr Int whole_bits(const LayerShape& layer, Operand operand, const Extents& whole) {
  return elements(layer, operand, whole) * layer.bits.widest(operand);
}
constexpr Int whole_bits(const LayerShape& layer, Operand operand) {
  return whole_bits(layer, operand, layer.bounds);
}

}  // namespace nestor
