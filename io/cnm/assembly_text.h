// Parser of assembly files, which returns their instructions. It checks that each word is known and has the
// right number of operands, and that each operand is a register, a number or a symbol. Private to io/cnm.
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
  Int number = 0;      ///< value, offset from a symbol, or number of a register
};

enum class AsmKind : std::uint8_t { operation, load, store, compare, jump, call, read_dma, write_dma, other };

struct AsmInstruction {
  AsmKind kind = AsmKind::operation;
  std::string word;
  std::vector<AsmOperand> operands;
  std::string condition{};
  std::string target{};  ///< label to which the instruction may branch; empty if there is none
  int line = 0;
  int column = 0;
};

struct AsmText {
  std::vector<AsmInstruction> code;
  /// Index of the instruction after each label. If an instruction has several labels, the last one in
  /// alphabetical order names its loop.
  std::map<std::string, std::size_t> labels;
  /// Functions whose addresses are in data (as in a table of kernels), by label and byte offset.
  std::map<std::string, std::map<Int, std::string>> functions;
};

Result<AsmText> parse_assembly(std::string_view text, const std::string& file);

}  // namespace nestor::io
