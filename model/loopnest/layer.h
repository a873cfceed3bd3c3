// One layer as a perfect loop nest: bounds, relevance of dimensions to operands, strides, dilations and bit
// widths. It is plain data without names or heap memory; workload/network.h adds names.
#pragma once

#include "model/loopnest/dims.h"

namespace nestor {

struct BitWidths {
  Int input = 8;
  Int weight = 8;
  Int output = 8;        ///< bits of a finished output element
  Int partial_sum = 32;  ///< bits of an output element during its reduction

  /// Returns the width of an element of I or W, or of a finished element of O.
  constexpr Int of(Operand operand) const {
    return operand == Operand::I ? input : operand == Operand::W ? weight : output;
  }
  /// Returns the width of an element. If reductions are `open` (incomplete), elements of O are partial sums.
  constexpr Int of(Operand operand, bool open) const {
    return open && operand == Operand::O ? partial_sum : of(operand);
  }
  /// Returns the largest width that an element can have.
  constexpr Int widest(Operand operand) const { return of(operand, partial_sum > output); }
  /// Returns the smallest width that an element can have.
  constexpr Int narrowest(Operand operand) const { return of(operand, partial_sum < output); }
  friend constexpr bool operator==(const BitWidths&, const BitWidths&) = default;
};

/// The dimensions on which the content of each operand depends. A loop over any other dimension reuses the
/// content; the output is reduced over its irrelevant dimensions. If an output dimension and its kernel
/// dimension (P and R, or Q and S) are both relevant to an operand, its tiles are overlapping windows
/// (tiles.h).
struct Relevance {
  std::array<DimSet, operand_count> dims;

  constexpr DimSet of(Operand operand) const { return dims[index_of(operand)]; }
  friend constexpr bool operator==(const Relevance&, const Relevance&) = default;

  /// Returns the relevance of convolutions, which include matrix products.
  static constexpr Relevance convolution() {
    return {{DimSet::of(Dim::N, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S, Dim::G),
             DimSet::of(Dim::K, Dim::C, Dim::R, Dim::S, Dim::G),
             DimSet::of(Dim::N, Dim::K, Dim::P, Dim::Q, Dim::G)}};
  }
  /// Returns the relevance of two inputs and an output of the same shape, as in the sum of two tensors.
  static constexpr Relevance elementwise() { return {{every_dim, every_dim, every_dim}}; }
};

struct LayerShape {
  Extents bounds = unit_extents;
  std::array<Int, 2> stride = {1, 1};    ///< along P and Q
  std::array<Int, 2> dilation = {1, 1};  ///< along R and S
  BitWidths bits;
  Relevance relevance = Relevance::convolution();

  constexpr Int bound(Dim dim) const { return bounds[index_of(dim)]; }
  constexpr bool is_relevant(Dim dim, Operand operand) const { return relevance.of(operand).contains(dim); }
  constexpr bool is_reduction(Dim dim) const { return !is_relevant(dim, Operand::O); }
  constexpr DimSet reductions() const {
    DimSet dims;
    for (const Dim dim : all_dims)
      if (is_reduction(dim)) dims.insert(dim);
    return dims;
  }
  friend constexpr bool operator==(const LayerShape&, const LayerShape&) = default;
};

}  // namespace nestor
