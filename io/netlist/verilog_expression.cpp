#include "io/netlist/verilog_expression.h"

namespace nestor::io {
namespace {

using Operator = ExpressionStack::Operator;

int precedence(Operator op) {
  switch (op) {
    case Operator::open:
      return 0;
    case Operator::disjunction:
      return 1;
    case Operator::parity:
    case Operator::equality:
      return 2;
    case Operator::conjunction:
      return 3;
    case Operator::invert:
      return 4;
  }
  return 0;
}

}  // namespace

void ExpressionStack::clear() {
  operators_.clear();
  output_.clear();
  open_ = 0;
}

void ExpressionStack::add_operand(std::uint32_t number) {
  output_.emplace_back(PostfixToken::Kind::symbol, number);
  reduce_inverts();
}

void ExpressionStack::reduce_inverts() {
  while (!operators_.empty() && operators_.back().op == Operator::invert) reduce_top();
}

void ExpressionStack::reduce_top() {
  const auto [op, operands] = operators_.back();
  operators_.pop_back();
  switch (op) {
    case Operator::invert:
      output_.emplace_back(PostfixToken::Kind::invert, 0);
      break;
    case Operator::conjunction:
      output_.emplace_back(PostfixToken::Kind::conjunction, operands);
      break;
    case Operator::disjunction:
      output_.emplace_back(PostfixToken::Kind::disjunction, operands);
      break;
    case Operator::parity:
      output_.emplace_back(PostfixToken::Kind::parity, operands);
      break;
    case Operator::equality:
      output_.emplace_back(PostfixToken::Kind::parity, operands);
      output_.emplace_back(PostfixToken::Kind::invert, 0);
      break;
    case Operator::open:
      break;
  }
}

void ExpressionStack::add_binary(Operator op) {
  while (!operators_.empty() && precedence(operators_.back().op) >= precedence(op)) {
    if (operators_.back().op == op && op != Operator::equality) {
      ++operators_.back().operands;
      return;
    }
    reduce_top();
  }
  operators_.push_back({op, 2});
}

void ExpressionStack::open() {
  operators_.push_back({Operator::open, 0});
  ++open_;
}

bool ExpressionStack::close() {
  if (open_ == 0) return false;
  while (operators_.back().op != Operator::open) reduce_top();
  operators_.pop_back();
  --open_;
  reduce_inverts();
  return true;
}

const std::vector<PostfixToken>& ExpressionStack::finish() {
  while (!operators_.empty()) reduce_top();
  return output_;
}

}  // namespace nestor::io
