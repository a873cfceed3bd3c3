// The importer's knowledge about one tensor: its name, shape and element type, and the values of small
// tensors that determine shapes. Weights are not stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/loopnest/layer.h"

namespace nestor::io::onnx_import {

inline constexpr Int unknown_dim = -1;

/// Extents, outermost first; unknown ones are unknown_dim.
using Shape = std::vector<Int>;

bool fully_known(const Shape& shape);

/// Returns the number of elements, or nothing if a dimension is unknown or the product overflows.
std::optional<Int> element_count(const Shape& shape);

/// Formats a shape, as in "[1, 3, ?, 224]".
std::string to_string(const Shape& shape);

/// Formats numbers that are not extents, as in "[1, -1, 2]".
std::string list_text(const std::vector<Int>& values);

/// Makes text from a file safe for messages and names. Invalid UTF-8 and control characters (also those of
/// Latin-1), which could end a line or control a terminal, become '?'.
std::string printable(std::string text);

/// Values of TensorProto.DataType. They are listed here because older versions of libonnx lack the newer
/// ones.
enum ElementType : std::int32_t {
  undefined_type = 0,
  float_type = 1,
  uint8_type = 2,
  int8_type = 3,
  uint16_type = 4,
  int16_type = 5,
  int32_type = 6,
  int64_type = 7,
  string_type = 8,
  bool_type = 9,
  float16_type = 10,
  double_type = 11,
  uint32_type = 12,
  uint64_type = 13,
  bfloat16_type = 16,
  float8e4m3fn_type = 17,
  float8e5m2fnuz_type = 20,
  uint4_type = 21,
  int4_type = 22,
  float4e2m1_type = 23,
  float8e8m0_type = 24,
  uint2_type = 25,
  int2_type = 26,
};

/// Returns the width of a type for quantised values (integers and the narrow floats). Returns nothing for
/// float16 and wider floats, whose networks are mapped with the default widths.
std::optional<Int> quantised_bits(std::int32_t type);

/// Values of a small tensor in row-major order: integers (and booleans), or reals.
struct Constant {
  bool real = false;
  std::vector<Int> integers;
  std::vector<double> reals;

  std::size_t size() const { return real ? reals.size() : integers.size(); }
};

/// Tensors with more elements are never folded, because no shape depends on so many values.
inline constexpr Int largest_constant = 256;

struct Tensor {
  std::string name;
  std::optional<Shape> shape;  ///< empty if not even the rank is known
  std::int32_t type = undefined_type;
  std::optional<Constant> value;
  std::optional<Shape> stated;  ///< shape from value_info, for tensors whose rule infers less
  std::int32_t stated_type = undefined_type;
  int producer = -1;   ///< index of the node that computes it; -1 for graph inputs and initializers
  bool given = false;  ///< true for graph inputs and initializers
};

}  // namespace nestor::io::onnx_import
