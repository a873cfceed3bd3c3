// Parser of assembly files, which returns their instructions. It checks that each word is known, that its
// operands are of the right kind, and that its label exists. Private to io/cnm.
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
  std::string text{};  ///< name of a register or a symbol
  Int number = 0;      ///< value, or the offset from a symbol
};

enum class AsmKind : std::uint8_t { operation, load, store, compare, jump, call, read_dma, write_dma, other };

struct AsmInstruction {
  AsmKind kind = AsmKind::operation;
  std::string word;
  std::vector<AsmOperand> operands;
  std::string condition{};
  std::string target{};  ///< label; empty if the instruction only falls through
  int line = 0;
  int column = 0;
};

struct AsmText {
  std::vector<AsmInstruction> code;
  /// Index of the instruction after each label. If an instruction has several labels, the last one names its
  /// loop.
  std::map<std::string, std::size_t> labels;
  /// Addresses of functions in data, as in a table of kernels, by label and byte offset.
  std::map<std::string, std::map<Int, std::string>> functions;
};

Result<AsmText> parse_assembly(std::string_view text, const std::string& file);

}  // namespace nestor::io
