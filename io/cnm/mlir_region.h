// Computation of an MLIR linalg operation for one point: the region of a linalg.generic as text, and the
// body of a nest of loops. Private to io/cnm.
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

/// An argument of a region's block: an operand of the kernel, a number, or (neither) an operand that only
/// gives a shape.
struct BlockArgument {
  std::optional<std::size_t> operand;
  std::optional<std::string> number;
  cnm::Type type = cnm::Type::i32;
};

class RegionReader {
 public:
  /// Scalar constants of `outer` may be used inside.
  RegionReader(Lexer& lexer, const SourceLocation& operation, cnm::Kernel& kernel, const MlirValues& outer)
      : lexer_(lexer), operation_(operation), kernel_(kernel), outer_(outer) {}

  /// "{ ^bb0(...): ... linalg.yield ... }", or with `inline_block` "(...) { ... linalg.yield ... }". The
  /// kernel's operands are there already.
  void run(const std::vector<BlockArgument>& arguments, bool inline_block);

  /// For the body of a nest: a name, one "%1 = arith..." whose name and "=" are taken, and a value's place.
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
  std::map<std::string, std::size_t> values_;  // in order, as suggestions are looked for
};

/// Marks the outputs whose elements the region uses.
void note_reads(cnm::Kernel& kernel);

}  // namespace nestor::io
