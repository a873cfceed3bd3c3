// Data of a model from its ONNX file (docs/models/chip.md, section 10): the weights of every chip operator
// before splitting, scales and zero points if the file has them, and the layouts of the graph's first input
// and output in the tensors of the chip.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.h"

namespace nestor::chip {

/// Number format x = scale * (q - zero), with q from low to high.
struct TensorFormat {
  double scale = 1;
  Int zero = 0, low = -127, high = 127;
  bool operator==(const TensorFormat&) const = default;
};

/// Layout of an ONNX tensor: the positions of its elements, in the order of the file, in a tensor of the
/// chip.
struct TensorLayout {
  struct Axis {
    Int extent = 1, stride = 0;
    bool operator==(const Axis&) const = default;
  };
  std::size_t tensor = 0;  ///< number of the chip's tensor in the network
  std::vector<Int> dims;   ///< dimensions of the ONNX tensor
  std::vector<Axis> axes;  ///< outermost first; the product of their extents is the product of `dims`
  Int first = 0;
  std::array<Int, 2> limits = {0, 0};  ///< range of an input's integers
  bool operator==(const TensorLayout&) const = default;

  std::vector<Int> places() const {
    std::vector<Int> places = {first};
    for (const Axis& axis : axes) {
      std::vector<Int> next;
      next.reserve(places.size() * static_cast<std::size_t>(axis.extent));
      for (const Int place : places)
        for (Int i = 0; i < axis.extent; ++i) next.push_back(place + i * axis.stride);
      places = std::move(next);
    }
    return places;
  }
};

/// Data of one operator from the model's file. All values are reals, except the integer weights of quantised
/// models.
struct RealOperator {
  std::vector<double> matrix;  ///< [G, K, N]
  /// Scales of integer weights: one, or one per output channel; empty: weights are reals.
  std::vector<double> weight_scales;
  Int weight_zero = 0;
  std::vector<double> bias;         ///< one value per output channel; empty: no bias
  std::vector<double> gamma, beta;  ///< layernorm: one value per normalised channel
  std::vector<double> constant;     ///< constant operand, in the chip's element order
  std::vector<double> parameters;   ///< parameters of a unary function: limits of clip, alpha, ...
};

struct RealModel {
  std::vector<RealOperator> operators;               ///< one entry per operator before splitting
  std::vector<std::optional<TensorFormat>> formats;  ///< formats specified in the file, one per tensor
  /// First input and output of the graph, if a layout can describe them.
  std::optional<TensorLayout> input, output;
  bool has_data = false;  ///< false if no operator has weights
  bool quantised() const {
    return std::any_of(formats.begin(), formats.end(), [](const auto& format) { return format.has_value(); });
  }
  bool fully_stated() const {
    return std::all_of(formats.begin(), formats.end(), [](const auto& format) { return format.has_value(); });
  }
};

}  // namespace nestor::chip
