// Reader and writer of arrays in NumPy's .npy format, for input images and results. The reader supports
// versions 1 to 3, row-major and column-major order, and integers and floats of either byte order. The size
// is checked against the header before any allocation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

struct NpyArray {
  std::vector<Int> shape;
  std::vector<double> values;  ///< in row-major order; integers are at most 2^53 in magnitude
  bool real = true;
  bool is_unsigned = false;
  Int bits = 32;  ///< width of an element
};

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& file);
Result<NpyArray> read_npy(const std::string& path);

/// Returns a file of signed little-endian integers of `bits` bits: 8, 16, 32 or 64.
std::string npy_of(const std::vector<Int>& values, const std::vector<Int>& shape, Int bits);

}  // namespace nestor::io
