#include "model/chip/program/expression.h"

#include <algorithm>
#include <array>

namespace nestor::chip_program {
namespace {

bool is_operand(const Term& term) {
  return term.operation == Operation::constant || term.operation == Operation::variable;
}

// Simplifies x + 0, x - 0, x * 1 and x div 1 to x, and x * 0 and x mod 1 to 0. Returns nothing for other
// operands.
std::optional<Expression> without_neutral(Operation operation, const Expression& a, const Expression& b) {
  const auto left = a.constant();
  const auto right = b.constant();
  switch (operation) {
    case Operation::add:
      if (left == 0) return b;
      if (right == 0) return a;
      break;
    case Operation::subtract:
      if (right == 0) return a;
      break;
    case Operation::multiply:
      if (left == 1) return b;
      if (right == 1) return a;
      if (left == 0 || right == 0) return Expression(0);
      break;
    case Operation::divide:
      if (right == 1) return a;
      break;
    case Operation::modulo:
      if (right == 1) return Expression(0);
      break;
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Int> apply(Operation operation, Int a, Int b) {
  Int result = 0;
  switch (operation) {
    case Operation::add:
      return checked_add(a, b);
    case Operation::subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case Operation::multiply:
      return checked_multiply(a, b);
    case Operation::divide:
      if (b < 1) return std::nullopt;
      return a / b - static_cast<Int>(a % b < 0);
    case Operation::modulo:
      if (b < 1) return std::nullopt;
      return a % b + (a % b < 0 ? b : 0);
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

Expression Expression::of(Operation operation, const Expression& a, const Expression& b) {
  const auto left = a.constant();
  const auto right = b.constant();
  if (left && right) {
    if (const auto folded = apply(operation, *left, *right)) return Expression(*folded);
  }
  if (auto simple = without_neutral(operation, a, b)) return *std::move(simple);
  std::vector<Term> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  terms.push_back({operation, 0});
  return Expression(std::move(terms));
}

std::optional<Int> Expression::constant() const {
  if (terms_.size() != 1 || terms_[0].operation != Operation::constant) return std::nullopt;
  return terms_[0].value;
}

bool Expression::well_formed(std::size_t loops) const {
  std::size_t depth = 0;
  if (terms_.size() > most_terms) return false;
  for (const Term& term : terms_) {
    if (term.operation == Operation::variable &&
        (term.value < 0 || static_cast<std::size_t>(term.value) >= loops)) {
      return false;
    }
    if (is_operand(term)) {
      ++depth;
    } else {
      if (depth < 2) return false;
      --depth;
    }
  }
  return depth == 1;
}

std::optional<Int> Expression::value(std::span<const Int> loops) const {
  std::array<Int, most_terms> stack;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  std::size_t depth = 0;
  for (const Term& term : terms_) {
    if (term.operation == Operation::constant) {
      stack[depth++] = term.value;
    } else if (term.operation == Operation::variable) {
      stack[depth++] = loops[static_cast<std::size_t>(term.value)];
    } else {
      --depth;
      const auto result = apply(term.operation, stack[depth - 1], stack[depth]);
      if (!result) return std::nullopt;
      stack[depth - 1] = *result;
    }
  }
  return stack[0];
}

}  // namespace nestor::chip_program
