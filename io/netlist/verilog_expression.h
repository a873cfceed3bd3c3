// Conversion of a bitwise Verilog expression to postfix order over numbered operands. Operators are ordered
// by precedence (~, &, ^, |) with an explicit stack, and chains of one operator are flattened. Operands may
// be whole vectors; the reader instantiates the expression once per bit.
#pragma once

#include <vector>

#include "io/netlist/postfix.h"

namespace nestor::io {

/// Builds one postfix expression, token by token. The caller passes operands and operators in source order
/// and checks that they alternate. `symbol` tokens carry operand numbers.
class ExpressionStack {
 public:
  enum class Operator : std::uint8_t { open, invert, conjunction, parity, equality, disjunction };

  void clear();
  void add_operand(std::uint32_t number);
  void add_prefix(Operator op) { operators_.push_back({op, 0}); }
  void add_binary(Operator op);
  /// Returns false if no parenthesis is open.
  bool close();
  bool has_open_parenthesis() const { return open_ > 0; }
  void open();
  /// Completes and returns the expression; no parenthesis may be open.
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
