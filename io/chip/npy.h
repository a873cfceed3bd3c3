// Arrays of numbers as NumPy's .npy files hold them: images in, results out. Reads versions 1 to 3, rows
// first or columns first, integers and floats of either byte order; the size is checked against the header
// before anything is allocated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

struct NpyArray {
  std::vector<Int> shape;
  std::vector<double> values;  ///< outermost dimension first; integers of at most 53 bits
  bool real = true;
  bool is_unsigned = false;
  Int bits = 32;  ///< of an element
};

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& file);
Result<NpyArray> read_npy(const std::string& path);

/// Integers of 8, 16, 32 or 64 bits, signed, least byte first.
std::string npy_of(const std::vector<Int>& values, const std::vector<Int>& shape, Int bits);

}  // namespace nestor::io
