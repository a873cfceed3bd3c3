// The instructions of an assembly file, checked one by one: known words, operands of the right kind, labels
// that are there. Private to io/cnm.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

struct AsmOperand {
  enum class Kind : std::uint8_t { reg, pair, number, symbol } kind = Kind::number;
  std::string text{};  ///< of a register or a symbol
  Int number = 0;      ///< also what a symbol is offset by
};

enum class AsmKind : std::uint8_t { operation, load, store, compare, jump, call, read_dma, write_dma, other };

struct AsmInstruction {
  AsmKind kind = AsmKind::operation;
  std::string word;
  std::vector<AsmOperand> operands;
  std::string condition{};
  std::string target{};  ///< label; empty: falls through only
  int line = 0;
  int column = 0;
};

struct AsmText {
  std::vector<AsmInstruction> code;
  /// The instruction behind each label; of several labels the last names a loop.
  std::map<std::string, std::size_t> labels;
  /// Addresses of functions in data: by label and offset in bytes, as in a table of kernels.
  std::map<std::string, std::map<Int, std::string>> functions;
};

Result<AsmText> parse_assembly(std::string_view text, const std::string& file);

}  // namespace nestor::io
