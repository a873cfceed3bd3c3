// One layer as a perfect loop nest: bounds, which operand sees which dimension, strides, dilations and bit
// widths. Plain data without names or heap; workload/network.h adds what a person needs.
#pragma once

#include "model/loopnest/dims.h"

namespace nestor {

struct BitWidths {
  Int input = 8;
  Int weight = 8;
  Int output = 8;        ///< of a finished output element
  Int partial_sum = 32;  ///< of an output element while a reduction is open

  /// Of an element of I or W, or of a finished one of O.
  constexpr Int of(Operand operand) const {
    return operand == Operand::I ? input : operand == Operand::W ? weight : output;
  }
  /// The same where reductions of an output may be `open`: then it is a partial sum.
  constexpr Int of(Operand operand, bool open) const {
    return open && operand == Operand::O ? partial_sum : of(operand);
  }
  /// Of an element in the widest form that it takes.
  constexpr Int widest(Operand operand) const { return of(operand, partial_sum > output); }
  /// Of an element in the narrowest form that it takes.
  constexpr Int narrowest(Operand operand) const { return of(operand, partial_sum < output); }
  friend constexpr bool operator==(const BitWidths&, const BitWidths&) = default;
};

/// Which dimensions the content of each operand depends on. A loop over any other dimension uses the content
/// again; the output is reduced over the dimensions that it does not see. An operand that sees an output
/// dimension and its kernel dimension, P and R or Q and S, holds windows that overlap (tiles.h).
struct Relevance {
  std::array<DimSet, operand_count> dims;

  constexpr DimSet of(Operand operand) const { return dims[index_of(operand)]; }
  friend constexpr bool operator==(const Relevance&, const Relevance&) = default;

  /// Convolutions, and matrix products as a case of them.
  static constexpr Relevance convolution() {
    return {{DimSet::of(Dim::N, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S, Dim::G),
             DimSet::of(Dim::K, Dim::C, Dim::R, Dim::S, Dim::G),
             DimSet::of(Dim::N, Dim::K, Dim::P, Dim::Q, Dim::G)}};
  }
  /// Two inputs and an output of one shape, as in the sum of two tensors.
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
