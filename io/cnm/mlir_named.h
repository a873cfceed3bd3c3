// Named operations of MLIR's linalg as the generic ones that they stand for: dims in MLIR's own order, maps
// and a region. Private to io/cnm.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::io {

/// What a named operation says beside its operands.
struct NamedAttributes {
  std::vector<Int> dims;  ///< of reduce and broadcast: `dimensions`; of transpose: `permutation`
  std::vector<Int> strides = {1, 1}, dilations = {1, 1};
  std::string reducer;  ///< of reduce and map in the short form: the arith word
};

/// Maps of the inputs, then of the output.
struct NamedShape {
  std::vector<std::vector<cnm::AffineExpr>> maps;
  std::vector<bool> reduction;
};

/// All words, for messages.
std::vector<std::string_view> named_operations();

/// Nothing for a word that is not one. `input_rank`, `output_rank`: dims of the first operands; `inputs`: how
/// many, for map.
std::optional<NamedShape> shape_of_named(std::string_view word, const NamedAttributes& attributes,
                                         std::size_t input_rank, std::size_t output_rank, std::size_t inputs);

/// True for an input of an operation that gives the extents of a window and is not read.
bool is_window(std::string_view word, std::size_t input);

/// The region and what it yields, for elements of `type`; `inputs`: the region's argument for every input but
/// windows. The output is the last operand.
void add_region_of_named(std::string_view word, const std::string& reducer, cnm::Type type,
                         std::vector<std::size_t> inputs, cnm::Kernel& kernel);

}  // namespace nestor::io
