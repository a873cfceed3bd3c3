// Plain loops that compute the operators of a network before splitting, on reals or integers (internal to
// sim/chip). The float graph (real_run.h) and the reference of quantised models (model_reference.h) use them.
// They involve no crossbars, slices, copies or addresses.
#pragma once

#include <algorithm>
#include <vector>

#include "model/chip/network.h"

namespace nestor::sim::chip {

/// An operand as an operator reads it: possibly reshaped by a view, with extents of 1 broadcast.
struct Seen {
  std::size_t tensor = 0;
  Int rows = 1, width = 1, channels = 1, first = 0;

  std::size_t place(Int y, Int x, Int c) const {
    const Int row = rows == 1 ? 0 : y;
    const Int column = width == 1 ? 0 : x;
    return static_cast<std::size_t>(first + (row * width + column) * channels + (channels == 1 ? 0 : c));
  }
};

inline Seen seen_by(const nestor::chip::ChipNetwork& network, const nestor::chip::Operator& op,
                    std::size_t input) {
  const std::size_t tensor = op.inputs[input].tensor;
  if (input < op.function.views.size() && op.function.views[input].rows > 0) {
    const auto& view = op.function.views[input];
    return {tensor, view.rows, view.width, view.channels, view.first};
  }
  if (network.is_input(tensor)) {
    const auto& from = network.inputs[tensor];
    return {tensor, from.rows, from.width, from.channels, 0};
  }
  const auto& from = network.operators[network.producer(tensor)];
  return {tensor, from.rows, from.width, from.channels, 0};
}

inline void see_inputs(const nestor::chip::ChipNetwork& network, const nestor::chip::Operator& op,
                       std::vector<Seen>& inputs) {
  inputs.clear();
  for (std::size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(seen_by(network, op, i));
}

/// Calls use(y, x, sums) for every output pixel of a convolution, with the sums of all channels. Elements
/// outside the image contribute nothing.
template <typename Value, typename Use>
void convolve(const nestor::chip::Operator& op, const Seen& in, const std::vector<Value>& image,
              const std::vector<Value>& matrix, Use use) {
  const auto& f = op.function;
  const auto& m = op.matrix;
  const Int depth = op.in_channels / m.groups;
  const auto columns = static_cast<std::size_t>(m.columns);
  std::vector<Value> sums(static_cast<std::size_t>(op.channels));
  for (Int y = 0; y < op.rows; ++y) {
    for (Int x = 0; x < op.width; ++x) {
      std::fill(sums.begin(), sums.end(), Value{});
      for (Int tap = 0; tap < f.kernel[0] * f.kernel[1]; ++tap) {
        const Int iy = y * f.stride[0] - f.pad[0] + tap / f.kernel[1] * f.dilation[0];
        const Int ix = x * f.stride[1] - f.pad[1] + tap % f.kernel[1] * f.dilation[1];
        if (iy < 0 || ix < 0 || iy >= in.rows || ix >= in.width) continue;
        for (Int c = 0; c < op.in_channels; ++c) {
          const Value value = image[in.place(iy, ix, c)];
          if (value == Value{}) continue;
          const Int group = c / depth;
          const Value* row =
              &matrix[static_cast<std::size_t>(group * m.rows + tap * depth + c % depth) * columns];
          Value* sum = &sums[static_cast<std::size_t>(group) * columns];
          for (std::size_t n = 0; n < columns; ++n) sum[n] += value * row[n];
        }
      }
      use(y, x, sums);
    }
  }
}

/// Calls use(y, channel, sum) for every output element of a product of two activations.
template <typename Value, typename Use>
void multiply(const nestor::chip::Operator& op, const Seen& left, const std::vector<Value>& lefts,
              const Seen& right, const std::vector<Value>& rights, Use use) {
  const auto& m = op.matrix;
  for (Int y = 0; y < op.rows; ++y)
    for (Int g = 0; g < m.groups; ++g)
      for (Int n = 0; n < m.columns; ++n) {
        Value sum{};
        for (Int k = 0; k < m.rows; ++k) {
          const Int pixel = op.function.transposed ? n : k;
          const Int channel = op.function.transposed ? g * m.rows + k : g * m.columns + n;
          sum += lefts[left.place(y, 0, g * m.rows + k)] *
                 rights[right.place(pixel / right.width, pixel % right.width, channel)];
        }
        use(y, g * m.columns + n, sum);
      }
}

/// Calls use(index in the result, values of the window inside the image) for every output element of a
/// pooling operator.
template <typename Value, typename Use>
void pool(const nestor::chip::Operator& op, const Seen& in, const std::vector<Value>& image, Use use) {
  const auto& f = op.function;
  std::vector<Value> values;
  std::size_t at = 0;
  for (Int y = 0; y < op.rows; ++y)
    for (Int x = 0; x < op.width; ++x)
      for (Int c = 0; c < op.channels; ++c) {
        values.clear();
        for (Int ky = 0; ky < f.kernel[0]; ++ky)
          for (Int kx = 0; kx < f.kernel[1]; ++kx) {
            const Int iy = y * f.stride[0] - f.pad[0] + ky * f.dilation[0];
            const Int ix = x * f.stride[1] - f.pad[1] + kx * f.dilation[1];
            if (iy >= 0 && ix >= 0 && iy < in.rows && ix < in.width)
              values.push_back(image[in.place(iy, ix, c)]);
          }
        use(at++, values);
      }
}

/// Calls use(y, x, c, index in the result) for every output element.
template <typename Use>
void each_element(const nestor::chip::Operator& op, Use use) {
  std::size_t at = 0;
  for (Int y = 0; y < op.rows; ++y)
    for (Int x = 0; x < op.width; ++x)
      for (Int c = 0; c < op.channels; ++c) use(y, x, c, at++);
}

/// The operand, and the index in it, from which a concatenation copies an element. Operand -1 means
/// constants.
struct Joined {
  std::ptrdiff_t operand = -1;
  std::size_t place = 0;
};
inline Joined joined_from(const nestor::chip::Operator& op, const std::vector<Seen>& in, Int y, Int x,
                          Int c) {
  const bool rows = op.function.kind == nestor::chip::FunctionKind::concat_rows;
  Int inside = rows ? y - op.function.constant_rows : c;
  if (inside < 0) return {};
  std::size_t from = 0;
  while (from + 1 < in.size() && inside >= (rows ? in[from].rows : in[from].channels))
    inside -= rows ? in[from].rows : in[from].channels, ++from;
  return {static_cast<std::ptrdiff_t>(from),
          rows ? in[from].place(inside, x, c) : in[from].place(y, x, inside)};
}

}  // namespace nestor::sim::chip
