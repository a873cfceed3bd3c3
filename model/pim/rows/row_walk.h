// Accesses of one operand to DRAM rows (docs/models/pim.md, section 5): a tensor, a tile that is visited
// again and again as the loops outside run, and the layout that says in which row an element lies. Every
// reading of row activations (count, trace, hybrid formulas) starts from this.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/tiles.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

/// Tensor coordinates, slowest first. Of a convolution: I (N, C, H, W), W (K, C, R, S), O (N, K, P, Q).
inline constexpr std::size_t coordinate_count = 4;
using Coordinates = std::array<Int, coordinate_count>;

/// A loop outside the tile: it moves the tile along a coordinate, or repeats the same visits.
struct VisitLoop {
  static constexpr std::uint8_t repeats = coordinate_count;
  std::uint8_t coordinate = repeats;
  Int count = 1;
  Int step = 0;  ///< elements along the coordinate
  friend constexpr bool operator==(const VisitLoop&, const VisitLoop&) = default;
};

struct RowWalk {
  Operand operand = Operand::I;
  bool planes = true;                       ///< has_planes()
  Coordinates size{1, 1, 1, 1};             ///< of the tensor
  Coordinates tile{1, 1, 1, 1};             ///< of the box that a visit covers
  FixedVector<VisitLoop, max_loops> loops;  ///< outermost first
  Int row_elements = 1;                     ///< whole elements in a row
  Int banks = 1;
};

/// Whether the coordinates of an operand's tensor are enough for what it sees: K and C share one if it sees
/// N, too, so that one of them must not be more than 1. What the pim space admits has them in DRAM.
constexpr bool has_coordinates(const LayerShape& layer, Operand operand) {
  return !layer.is_relevant(Dim::N, operand) || !layer.is_relevant(Dim::K, operand) ||
         !layer.is_relevant(Dim::C, operand) || layer.bound(Dim::K) == 1 || layer.bound(Dim::C) == 1;
}

/// The coordinate of an operand's tensor that a loop over `dim` moves along, from what the operand sees
/// (layer.relevance): the first two are of N, K and C, in this order, then rows and columns with their taps.
/// Precondition: has_coordinates().
constexpr std::uint8_t coordinate_of(const LayerShape& layer, Operand operand, Dim dim) {
  if (!layer.is_relevant(dim, operand)) return VisitLoop::repeats;
  switch (dim) {
    case Dim::N:
      return 0;
    case Dim::K:
      return layer.is_relevant(Dim::N, operand) ? 1 : 0;
    case Dim::C:
      return 1;
    case Dim::P:
    case Dim::R:
      return 2;
    case Dim::Q:
    case Dim::S:
      return 3;
    case Dim::G:  // 1, see admit()
      break;
  }
  return VisitLoop::repeats;
}

/// Whether an operand's rows and columns are those of images, which layouts tell from kernels.
constexpr bool has_planes(const LayerShape& layer, Operand operand) {
  return layer.is_relevant(Dim::P, operand) || layer.is_relevant(Dim::Q, operand);
}

/// Where along which coordinate a loop over `dim` moves an operand's tile that has `inside` indices of the
/// dimension in it.
VisitLoop visit_loop(const LayerShape& layer, Operand operand, Dim dim, Int count, Int inside);

/// The box of an operand's tile with these extents.
Coordinates tile_box(const LayerShape& layer, Operand operand, const Extents& extents);

/// Whether the places p * stride + r * dilation of so many outputs and taps leave no gap between them.
constexpr bool fills_gaps(Int outputs, Int taps, Int stride, Int dilation) {
  return stride == 1 ? dilation <= outputs || taps == 1 : dilation == 1 && (stride <= taps || outputs == 1);
}

/// Places that are read of a box whatever pieces it is visited in, steps[c] apart along coordinate c: all of
/// them, but for a stride or dilation of the input that leaves gaps.
Coordinates read_places(const LayerShape& layer, Operand operand, const Extents& extents, Coordinates& steps);

/// Whether partial sums return in a walk: O with a repeating loop.
bool sums_return(const RowWalk& walk);

/// Whether a layout cuts the planes of a walk's tensor into blocks, both ways.
bool cuts_planes(const RowWalk& walk, const Layout& layout);

/// Whether a layout is one that a tensor may have: hwc only with planes, blocks that divide the plane.
bool layout_fits(bool planes, const Coordinates& size, const Layout& layout);

}  // namespace nestor::pim
