// What an operation of MLIR's linalg computes: the region of a linalg.generic as text, and what the named
// operations stand for. Private to io/cnm.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/cnm/lexer.h"
#include "model/cnm/kernel.h"

namespace nestor::io {

/// "{ ^bb0(...): ... linalg.yield ... }" into the kernel, whose operands are there already.
void read_region(Lexer& lexer, const SourceLocation& operation, cnm::Kernel& kernel);

/// The dims that each operand of a named operation walks through, in its order.
struct NamedShape {
  std::size_t dims = 0;
  std::vector<std::vector<std::size_t>> operands;  ///< inputs, then the output
  std::vector<bool> reduction;
};
/// `rank`: of the first input; `summed`: the dims of a reduce, empty for all.
NamedShape shape_of_named(std::string_view word, std::size_t rank, const std::vector<Int>& summed);

/// The region and what it yields; `reducer`: the arith word of a reduce.
void add_region_of_named(std::string_view word, const std::string& reducer, cnm::Type type,
                         cnm::Kernel& kernel);

}  // namespace nestor::io
