// Accesses of one operand to DRAM rows (docs/models/pim.md, section 5): a tensor, and a tile that is visited
// repeatedly as the outside loops run. A layout, which is a separate argument, determines the row of an
// element. All counts of row activations (exact count, trace, hybrid formulas) use this description.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/tiles.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

/// Tensor coordinates, slowest first. For a convolution: I (N, C, H, W), W (K, C, R, S), O (N, K, P, Q).
inline constexpr std::size_t coordinate_count = 4;
using Coordinates = std::array<Int, coordinate_count>;

/// Loop outside the tile, which moves the tile along a coordinate or repeats its visits.
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
  Coordinates size{1, 1, 1, 1};             ///< size of the tensor
  Coordinates tile{1, 1, 1, 1};             ///< size of the box that a visit covers
  FixedVector<VisitLoop, max_loops> loops;  ///< outermost first
  Int row_elements = 1;                     ///< number of whole elements in a row
  Int banks = 1;
};

/// True if four coordinates suffice for the relevant dimensions of an operand. If N, K and C are all
/// relevant, K and C share one coordinate, so one of their bounds must be 1. Operands of admitted problems
/// satisfy this in DRAM.
constexpr bool has_coordinates(const LayerShape& layer, Operand operand) {
  return !layer.is_relevant(Dim::N, operand) || !layer.is_relevant(Dim::K, operand) ||
         !layer.is_relevant(Dim::C, operand) || layer.bound(Dim::K) == 1 || layer.bound(Dim::C) == 1;
}

/// Returns the coordinate of an operand's tensor along which a loop over `dim` moves, or `repeats` if the
/// dimension is irrelevant. The first two coordinates belong to N, K and C, in this order, the others to rows
/// and columns with their taps. Precondition: has_coordinates().
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

/// True if an operand's rows and columns belong to images, which layouts distinguish from kernels.
constexpr bool has_planes(const LayerShape& layer, Operand operand) {
  return layer.is_relevant(Dim::P, operand) || layer.is_relevant(Dim::Q, operand);
}

/// Returns the movement of an operand's tile by a loop over `dim`, if the tile contains `inside` indices of
/// the dimension.
VisitLoop visit_loop(const LayerShape& layer, Operand operand, Dim dim, Int count, Int inside);

/// Returns the box that an operand's tile with these extents covers.
Coordinates tile_box(const LayerShape& layer, Operand operand, const Extents& extents);

/// True if the places p * stride + r * dilation of these outputs and taps have no gap between them; false
/// also for a single place if neither stride nor dilation is 1.
constexpr bool fills_gaps(Int outputs, Int taps, Int stride, Int dilation) {
  return stride == 1 ? dilation <= outputs || taps == 1 : dilation == 1 && (stride <= taps || outputs == 1);
}

/// Returns, along each coordinate c, the number of places of a box that are read in any split into visits.
/// They are steps[c] apart. These are all places, unless a stride or dilation of the input leaves gaps.
Coordinates read_places(const LayerShape& layer, Operand operand, const Extents& extents, Coordinates& steps);

/// True if partial sums return in a walk, that is, for O with a repeating loop.
bool sums_return(const RowWalk& walk);

/// True if a layout cuts the planes of a walk's tensor into blocks that are higher than one line and narrower
/// than a plane. All other blocks result in the same addresses as uncut planes.
bool cuts_planes(const RowWalk& walk, const Layout& layout);

/// True if a tensor may have a layout: hwc needs planes, and blocks must divide the plane.
bool layout_fits(bool planes, const Coordinates& size, const Layout& layout);

}  // namespace nestor::pim
