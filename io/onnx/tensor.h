// Knowledge of the importer about one tensor: its name, shape, element type and, for the small tensors that
// shapes are computed from, its values. No weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/loopnest/layer.h"

namespace nestor::io::onnx_import {

inline constexpr Int unknown_dim = -1;

/// Extents, outermost first; unknown_dim where one is not known.
using Shape = std::vector<Int>;

bool fully_known(const Shape& shape);

/// The number of elements, or nothing if a dimension is unknown or the product does not fit.
std::optional<Int> element_count(const Shape& shape);

/// "[1, 3, ?, 224]"
std::string to_string(const Shape& shape);

/// "[1, -1, 2]": numbers that are not extents.
std::string list_text(const std::vector<Int>& values);

/// Text from a file as part of a message or a name: control characters, which could end a line or steer a
/// terminal, and what is not UTF-8 become '?'.
std::string printable(std::string text);

/// Numbers of TensorProto.DataType; the newer ones are unknown to older libonnx, so they are listed here.
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

/// The width of a type that stands for quantised values (integers and the narrow floats); nothing for
/// float16 and wider floats, whose networks are mapped at the default widths.
std::optional<Int> quantised_bits(std::int32_t type);

/// Values of a small tensor, row by row: integers (and booleans), or reals.
struct Constant {
  bool real = false;
  std::vector<Int> integers;
  std::vector<double> reals;

  std::size_t size() const { return real ? reals.size() : integers.size(); }
};

/// Tensors with more elements than this are never folded: no shape is computed from so many.
inline constexpr Int largest_constant = 256;

struct Tensor {
  std::string name;
  std::optional<Shape> shape;  ///< nothing: not even the rank is known
  std::int32_t type = undefined_type;
  std::optional<Constant> value;
  std::optional<Shape> stated;  ///< what value_info says, for tensors whose rule gives less
  std::int32_t stated_type = undefined_type;
  int producer = -1;   ///< index of the node that makes it; -1 for graph inputs and initializers
  bool given = false;  ///< graph input or initializer
};

}  // namespace nestor::io::onnx_import
