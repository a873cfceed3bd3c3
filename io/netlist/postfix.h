// Logic expressions in postfix order, passed from the netlist readers to the network builder.
#pragma once

#include <cstdint>

namespace nestor::io {

using SymbolId = std::uint32_t;

/// One token of a postfix expression, packed into four bytes because millions are in memory at once.
class PostfixToken {
 public:
  enum class Kind : std::uint8_t { symbol, constant, invert, conjunction, disjunction, parity };
  static constexpr std::uint32_t value_limit = 1U << 29U;

  constexpr PostfixToken(Kind kind, std::uint32_t value)
      : code_(static_cast<std::uint32_t>(kind) << 29U | (value & (value_limit - 1))) {}
  constexpr Kind kind() const { return static_cast<Kind>(code_ >> 29U); }
  /// Returns the symbol, the constant's value, or the operator's number of operands.
  constexpr std::uint32_t value() const { return code_ & (value_limit - 1); }
  constexpr bool is_operand() const { return kind() == Kind::symbol || kind() == Kind::constant; }

 private:
  std::uint32_t code_;
};

}  // namespace nestor::io
