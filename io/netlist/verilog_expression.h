// A bitwise Verilog expression as postfix over numbered operands: operators by precedence (~, &, ^, |) with
// an explicit stack, chains of one operator flattened. Operands may be whole vectors; the reader instantiates
// the expression once per bit.
#pragma once

#include <vector>

#include "io/netlist/postfix.h"

namespace nestor::io {

/// Builds the postfix of one expression, token by token. The caller feeds operands and operators in source
/// order and checks the alternation; `symbol` tokens carry operand numbers.
class ExpressionStack {
 public:
  enum class Operator : std::uint8_t { open, invert, conjunction, parity, equality, disjunction };

  void clear();
  void add_operand(std::uint32_t number);
  void add_prefix(Operator op) { operators_.push_back({op, 0}); }
  void add_binary(Operator op);
  /// False where no parenthesis is open.
  bool close();
  bool has_open_parenthesis() const { return open_ > 0; }
  void open();
  /// Ends the expression; no parenthesis may be open.
  const std::vector<PostfixToken>& finish();

 private:
  struct Entry {
    Operator op;
    std::uint32_t operands;
  };
  void reduce_top();
  void reduce_inverts();

  std::vector<Entry> operators_;
  std::vector<PostfixToken> output_;
  std::size_t open_ = 0;
};

}  // namespace nestor::io
