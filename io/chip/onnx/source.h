// The place of an ONNX tensor's elements in the tensor of a chip operator: each axis with its stride and
// with what it runs along, rows, pixels of a row or channels. Operators that only reorder elements change
// this and nothing else; from it follow the rows that a reader must wait for (docs/models/chip.md, section 3,
// "Free operators").
#pragma once

#include <optional>
#include <vector>

#include "io/onnx/tensor.h"
#include "model/chip/network.h"

namespace nestor::io::chip_onnx {

enum class Along : std::uint8_t { nothing, rows, width, channels };

struct Axis {
  Int extent = 1;
  Int stride = 0;
  Along along = Along::nothing;
};

/// rows x width x channels, as chip operators make them.
struct PixelShape {
  Int rows = 1, width = 1, channels = 1;
  Int row() const { return width * channels; }
};

struct Source {
  std::size_t tensor = 0;  ///< of the chip network
  PixelShape made;         ///< as it is made
  Int first = 0;           ///< the element at index 0 of all axes
  std::vector<Axis> axes;
  bool scrambled = false;  ///< reordered in a way that strides do not tell: all of it is needed
  std::vector<Axis> flat;  ///< of a tensor that was only reshaped since: axes in the order of its elements

  PixelShape shape() const;
  /// Rows of the operator that a reader of row r of this tensor waits for.
  chip::Need need() const;
  /// True if rows and pixels are where the operator makes them, whatever its channels are.
  bool keeps_pixels() const;
  /// How a program reads this tensor's rows, pixels and channels; nothing if no view says it.
  std::optional<chip::View> view() const;
};

/// The axes of an ONNX tensor by its rank: [1, C, H, W], [1, T, C], [T, C].
std::vector<Along> usual_axes(std::size_t rank);

/// A tensor just made, whose axes run along these.
Source plain_source(std::size_t tensor, const onnx_import::Shape& shape, const std::vector<Along>& along);

Source reshaped(const Source& source, const onnx_import::Shape& shape);
Source transposed(const Source& source, const std::vector<Int>& order);
Source sliced(const Source& source, std::size_t axis, Int start, Int step, Int extent);
/// The same elements in an unknown order.
Source reordered(const Source& source, const onnx_import::Shape& shape);
Source without_axis(const Source& source, std::size_t axis);

/// `outer` row needs on top of `inner` ones, both with numbers that fit.
chip::Need composed(const chip::Need& outer, const chip::Need& inner);

}  // namespace nestor::io::chip_onnx
