// Reader of the computation of an MLIR linalg operation at one point: the region of a linalg.generic as text,
// or the body of a loop nest. Private to io/cnm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/cnm/lexer.h"
#include "io/cnm/mlir_values.h"
#include "model/cnm/kernel.h"

namespace nestor::io {

/// An argument of a region's block: an operand of the kernel, a number, or neither for an operand that only
/// specifies a shape.
struct BlockArgument {
  std::optional<std::size_t> operand;
  std::optional<std::string> number;
  cnm::Type type = cnm::Type::i32;
};

class RegionReader {
 public:
  /// The region may use scalar constants of `outer`.
  RegionReader(Lexer& lexer, const SourceLocation& operation, cnm::Kernel& kernel, const MlirValues& outer)
      : lexer_(lexer), operation_(operation), kernel_(kernel), outer_(outer) {}

  /// Reads "{ ^bb0(...): ... linalg.yield ... }", or with `inline_block` "(...) { ... linalg.yield ... }".
  /// The kernel must already have its operands.
  void run(const std::vector<BlockArgument>& arguments, bool inline_block);

  /// For the body of a loop nest: `bind` defines a name, `step` reads one "%1 = arith..." after its "=", and
  /// `value` returns the index of a value.
  void bind(const std::string& name, std::size_t value) { values_.insert_or_assign(name, value); }
  void step(const std::string& defined, const Token& what);
  std::size_t value();

 private:
  void bind_arguments(const std::vector<BlockArgument>& arguments, const Token& place);
  std::size_t add_constant(std::string text, cnm::Type type);
  void skip_flags();

  Lexer& lexer_;
  const SourceLocation& operation_;
  cnm::Kernel& kernel_;
  const MlirValues& outer_;
  std::map<std::string, std::size_t> values_;  // sorted by name for suggestions
};

/// Marks the outputs whose elements the region uses.
void note_reads(cnm::Kernel& kernel);

}  // namespace nestor::io
