// Position of an ONNX tensor's elements in the tensor of a chip operator. Each axis has a stride and a
// direction: rows, pixels of a row, or channels. Operators that only reorder elements affect only this
// position. It determines the rows that a reader must wait for (docs/models/chip.md, section 3, "Free
// operators").
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

/// Shape of the output of a chip operator: rows x width x channels.
struct PixelShape {
  Int rows = 1, width = 1, channels = 1;
  Int row() const { return width * channels; }
};

struct Source {
  std::size_t tensor = 0;  ///< index in the chip network
  PixelShape made;         ///< shape that the operator produces
  Int first = 0;           ///< position of the element with index 0 on all axes
  std::vector<Axis> axes;
  /// True if the elements are reordered in a way that strides cannot express, so that readers need the whole
  /// tensor.
  bool scrambled = false;
  /// Axes before the reshapes that scrambled the tensor, in element order; empty after any other change.
  std::vector<Axis> flat;

  PixelShape shape() const;
  /// Returns the rows of the operator that a reader of row r of this tensor waits for.
  chip::Need need() const;
  /// True if rows and pixels are in the operator's order; channels may differ.
  bool keeps_pixels() const;
  /// Returns the view through which a program reads this tensor's rows, pixels and channels; nothing if no
  /// view can express it.
  std::optional<chip::View> view() const;
};

/// Returns the directions of an ONNX tensor's axes by rank: [1, C, H, W], [1, T, C], [T, C].
std::vector<Along> usual_axes(std::size_t rank);

/// Returns the source of an operator's output, with axes in these directions.
Source plain_source(std::size_t tensor, const onnx_import::Shape& shape, const std::vector<Along>& along);

Source reshaped(const Source& source, const onnx_import::Shape& shape);
Source transposed(const Source& source, const std::vector<Int>& order);
Source sliced(const Source& source, std::size_t axis, Int start, Int step, Int extent);
/// Returns the same elements in an unknown order.
Source reordered(const Source& source, const onnx_import::Shape& shape);
Source without_axis(const Source& source, std::size_t axis);

/// Returns the need `outer` composed with `inner`. Both must be within the size limits.
chip::Need composed(const chip::Need& outer, const chip::Need& inner);

}  // namespace nestor::io::chip_onnx
