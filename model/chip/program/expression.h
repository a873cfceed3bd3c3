// Integer expression of a meta-operator program (docs/models/chip-program.md, "Expressions"): constants, loop
// variables, sums, differences, products, div, mod, min, max. An expression is stored in postfix order,
// because a program of thousands of statements is evaluated millions of times. A variable is represented by
// the number of its loop, starting with the outermost loop of the thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/checked.h"

namespace nestor::chip_program {

enum class Operation : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,  ///< rounds down; the divisor is positive
  modulo,  ///< never negative; the divisor is positive
  minimum,
  maximum,
};
inline constexpr int operation_count = 9;

struct Term {
  Operation operation = Operation::constant;
  Int value = 0;  ///< value of a constant, or number of a variable's loop
  bool operator==(const Term&) const = default;
};

inline constexpr std::size_t most_terms = 256;  ///< limit per expression, enforced by parsers

class Expression {
 public:
  Expression() = default;
  Expression(Int constant)
      : terms_{{Operation::constant, constant}} {}  // NOLINT(google-explicit-constructor)
  explicit Expression(std::vector<Term> terms) : terms_(std::move(terms)) {}

  static Expression variable(Int loop) { return Expression({{Operation::variable, loop}}); }

  /// Returns an operation on two operands. Constants are folded and neutral operands dropped.
  static Expression of(Operation operation, const Expression& a, const Expression& b);

  bool empty() const { return terms_.empty(); }
  std::span<const Term> terms() const { return terms_; }
  std::optional<Int> constant() const;

  /// True if each operation has two operands and all variables are below `loops`.
  bool well_formed(std::size_t loops) const;

  /// Returns the value for these loop variables, or nothing if an operation overflows 64 bits or divides by
  /// less than 1. The expression must be well formed for this number of loops.
  std::optional<Int> value(std::span<const Int> loops) const;

  bool operator==(const Expression&) const = default;

 private:
  std::vector<Term> terms_;
};

/// Returns the result of one operation on two values, under the rules of Expression::value.
std::optional<Int> apply(Operation operation, Int a, Int b);

inline Expression operator+(const Expression& a, const Expression& b) {
  return Expression::of(Operation::add, a, b);
}
inline Expression operator-(const Expression& a, const Expression& b) {
  return Expression::of(Operation::subtract, a, b);
}
inline Expression operator*(const Expression& a, const Expression& b) {
  return Expression::of(Operation::multiply, a, b);
}
inline Expression div(const Expression& a, const Expression& b) {
  return Expression::of(Operation::divide, a, b);
}
inline Expression mod(const Expression& a, const Expression& b) {
  return Expression::of(Operation::modulo, a, b);
}
inline Expression min(const Expression& a, const Expression& b) {
  return Expression::of(Operation::minimum, a, b);
}
inline Expression max(const Expression& a, const Expression& b) {
  return Expression::of(Operation::maximum, a, b);
}

}  // namespace nestor::chip_program
