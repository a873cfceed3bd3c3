// The numbers of a model as its ONNX file holds them (docs/models/chip.md, section 10): real weights of every
// chip operator before splitting, scales and zero points where the file states them, and where the elements
// of its first input and output lie in the tensors of the chip.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.h"

namespace nestor::chip {

/// x = scale * (q - zero), q from low to high.
struct TensorFormat {
  double scale = 1;
  Int zero = 0, low = -127, high = 127;
  bool operator==(const TensorFormat&) const = default;
};

/// The elements of an ONNX tensor in the order of the file, as places in a tensor of the chip.
struct TensorLayout {
  struct Axis {
    Int extent = 1, stride = 0;
    bool operator==(const Axis&) const = default;
  };
  std::size_t tensor = 0;  ///< of the network
  std::vector<Int> dims;   ///< of the ONNX tensor
  std::vector<Axis> axes;  ///< outermost first; as many elements as `dims`
  Int first = 0;
  std::array<Int, 2> limits = {0, 0};  ///< of an input's integers
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

/// What a file says of one operator. Everything in reals, but for integer weights of quantised models.
struct RealOperator {
  std::vector<double> matrix;         ///< [G, K, N]
  std::vector<double> weight_scales;  ///< of integer weights: one, or one an output channel; empty: reals
  Int weight_zero = 0;
  std::vector<double> bias;         ///< an output channel; empty: none
  std::vector<double> gamma, beta;  ///< of layernorm, a channel of a run
  std::vector<double> constant;     ///< an operand that is no activation, as it lies on the chip
  std::vector<double> parameters;   ///< of a unary function: clip's limits, alpha, ...
};

struct RealModel {
  std::vector<RealOperator> operators;               ///< of the network before splitting
  std::vector<std::optional<TensorFormat>> formats;  ///< as stated, by tensor
  std::optional<TensorLayout> input, output;         ///< first of the graph's, where a layout says it
  bool has_data = false;                             ///< no operator has weights if not
  bool quantised() const {
    return std::any_of(formats.begin(), formats.end(), [](const auto& format) { return format.has_value(); });
  }
  bool fully_stated() const {
    return std::all_of(formats.begin(), formats.end(), [](const auto& format) { return format.has_value(); });
  }
};

}  // namespace nestor::chip
