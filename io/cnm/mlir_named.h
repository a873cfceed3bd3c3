// Conversion of the named linalg operations of MLIR to generic ones: dims in MLIR's order, maps and a region.
// Private to io/cnm.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::io {

/// Attributes of a named operation.
struct NamedAttributes {
  std::vector<Int> dims;  ///< `dimensions` of reduce and broadcast, or `permutation` of transpose
  std::vector<Int> strides = {1, 1}, dilations = {1, 1};
  std::string reducer;  ///< word of the arith operation, for reduce and map in the short form
};

/// Maps of the inputs, followed by the map of the output.
struct NamedShape {
  std::vector<std::vector<cnm::AffineExpr>> maps;
  std::vector<bool> reduction;
};

/// Returns the words of all linalg operations that the reader accepts.
std::vector<std::string_view> named_operations();

/// Returns the maps and reductions of a named operation, or nothing for an unknown word. `input_rank` and
/// `output_rank` are the ranks of the first input and output; `inputs` is the number of inputs, which only
/// the operation `map` needs.
std::optional<NamedShape> shape_of_named(std::string_view word, const NamedAttributes& attributes,
                                         std::size_t input_rank, std::size_t output_rank, std::size_t inputs);

/// True for an input whose elements are not read, because it only specifies the extents of a window.
bool is_window(std::string_view word, std::size_t input);

/// Adds the region and the value that it yields, for elements of `type`. `inputs` contains the region's
/// argument for every input except windows. The output is the last operand of the kernel.
void add_region_of_named(std::string_view word, const std::string& reducer, cnm::Type type,
                         std::vector<std::size_t> inputs, cnm::Kernel& kernel);

}  // namespace nestor::io
