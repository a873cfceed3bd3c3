#include "io/netlist/gate_match.h"

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

namespace nestor::io {
namespace {

using simd::GateKind;
using TokenKind = PostfixToken::Kind;
using GateTable = std::uint8_t;  // truth table over three variables

constexpr std::array<GateTable, 3> gate_variable = {0xaa, 0xcc, 0xf0};

bool same(Literal a, Literal b) {
  return a.token.kind() == b.token.kind() && a.token.value() == b.token.value() && a.inverted == b.inverted;
}

Literal constant(bool value) { return {PostfixToken(TokenKind::constant, value ? 1 : 0), false}; }

// Consumes literals and operators from the front of an expression.
class Reader {
 public:
  explicit Reader(std::span<const PostfixToken> tokens) : tokens_(tokens) {}

  bool at_end() const { return tokens_.empty(); }

  std::optional<Literal> literal() {
    if (at_end() || !tokens_.front().is_operand()) return std::nullopt;
    Literal result{tokens_.front(), false};
    tokens_ = tokens_.subspan(1);
    while (!at_end() && tokens_.front().kind() == TokenKind::invert) {
      result.inverted = !result.inverted;
      tokens_ = tokens_.subspan(1);
    }
    if (result.token.kind() == TokenKind::constant)
      result = constant((result.token.value() != 0) != result.inverted);
    return result;
  }

  bool take(TokenKind kind, std::uint32_t operands) {
    if (at_end() || tokens_.front().kind() != kind || tokens_.front().value() != operands) return false;
    tokens_ = tokens_.subspan(1);
    return true;
  }

 private:
  std::span<const PostfixToken> tokens_;
};

// Matches `a`, `a & b`, `a | b`, `a ^ b` and `a ^ b ^ c`, with any name inverted.
std::optional<GateMatch> match_operator(std::span<const PostfixToken> tokens) {
  Reader reader(tokens);
  std::array<Literal, 3> operand;
  std::uint32_t count = 0;
  while (count < 3) {
    const auto literal = reader.literal();
    if (!literal) break;
    operand[count++] = *literal;
  }
  if (count == 1 && reader.at_end()) return GateMatch{false, GateKind::xor3, operand};
  if (count < 2) return std::nullopt;
  std::optional<GateMatch> match;
  if (reader.take(TokenKind::parity, count)) {
    match = GateMatch{true, GateKind::xor3, operand};
  } else if (count == 2 && reader.take(TokenKind::conjunction, 2)) {
    match = GateMatch{true, GateKind::maj3, {operand[0], operand[1], constant(false)}};
  } else if (count == 2 && reader.take(TokenKind::disjunction, 2)) {
    match = GateMatch{true, GateKind::maj3, {operand[0], operand[1], constant(true)}};
  }
  return reader.at_end() ? match : std::nullopt;
}

// Matches `a & b | a & c | b & c`, with the products and their operands in any order.
std::optional<GateMatch> match_majority(std::span<const PostfixToken> tokens) {
  Reader reader(tokens);
  std::array<std::array<Literal, 2>, 3> pair;
  for (auto& [left, right] : pair) {
    const auto a = reader.literal();
    const auto b = reader.literal();
    if (!a || !b || !reader.take(TokenKind::conjunction, 2)) return std::nullopt;
    left = *a;
    right = *b;
  }
  if (!reader.take(TokenKind::disjunction, 3) || !reader.at_end()) return std::nullopt;
  const auto is_pair = [](const std::array<Literal, 2>& p, Literal x, Literal y) {
    return (same(p[0], x) && same(p[1], y)) || (same(p[0], y) && same(p[1], x));
  };
  const auto [a, b] = pair[0];
  for (const auto c : pair[1]) {
    if ((is_pair(pair[1], a, c) && is_pair(pair[2], b, c)) ||
        (is_pair(pair[1], b, c) && is_pair(pair[2], a, c))) {
      return GateMatch{true, GateKind::maj3, {a, b, c}};
    }
  }
  return std::nullopt;
}

struct TabulatedFunction {
  GateTable table = 0;
  std::array<PostfixToken, 3> variable = {PostfixToken(TokenKind::constant, 0),
                                          PostfixToken(TokenKind::constant, 0),
                                          PostfixToken(TokenKind::constant, 0)};
};

GateTable apply(TokenKind kind, GateTable a, GateTable b) {
  if (kind == TokenKind::conjunction) return a & b;
  if (kind == TokenKind::disjunction) return a | b;
  return a ^ b;
}

// Returns the truth table of the expression, or nothing if it names more than three symbols.
std::optional<TabulatedFunction> tabulate(std::span<const PostfixToken> tokens) {
  TabulatedFunction function;
  std::size_t variables = 0;
  boost::container::small_vector<GateTable, 16> stack;
  for (const auto token : tokens) {
    if (token.kind() == TokenKind::constant) {
      stack.push_back(token.value() != 0 ? 0xff : 0x00);
    } else if (token.kind() == TokenKind::symbol) {
      std::size_t i = 0;
      while (i < variables && function.variable[i].value() != token.value()) ++i;
      if (i == 3) return std::nullopt;
      if (i == variables) function.variable[variables++] = token;
      stack.push_back(gate_variable[i]);
    } else if (token.kind() == TokenKind::invert) {
      stack.back() = static_cast<GateTable>(~stack.back());
    } else {
      for (auto more = token.value(); more > 1; --more) {
        const GateTable right = stack.back();
        stack.pop_back();
        stack.back() = apply(token.kind(), stack.back(), right);
      }
    }
  }
  function.table = stack.back();
  return function;
}

// Compares the table with every gate over up to three literals and the constants. Both gates are symmetric,
// so each fanin needs only four choices: its variable, the inverted variable, 0 and 1.
std::optional<GateMatch> match_table(const TabulatedFunction& function) {
  struct Choice {
    GateTable table;
    Literal literal;
  };
  std::array<boost::container::static_vector<Choice, 4>, 3> choices;
  for (std::size_t i = 0; i < 3; ++i) {
    const GateTable table = gate_variable[i];
    const auto token = function.variable[i];
    if (token.kind() == TokenKind::symbol) {
      choices[i].push_back({table, {token, false}});
      choices[i].push_back({static_cast<GateTable>(~table), {token, true}});
    }
  }
  for (const bool value : {false, true}) {
    const GateTable table = value ? 0xff : 0x00;
    if (function.table == table) return GateMatch{false, GateKind::xor3, {constant(value)}};
    for (auto& fanin : choices) fanin.push_back({table, constant(value)});
  }
  for (const auto& fanin : choices) {
    for (const auto& a : fanin) {
      if (a.table == function.table) return GateMatch{false, GateKind::xor3, {a.literal}};
    }
  }
  for (const auto& a : choices[0]) {
    for (const auto& b : choices[1]) {
      for (const auto& c : choices[2]) {
        const std::array<Literal, 3> operand = {a.literal, b.literal, c.literal};
        if ((a.table ^ b.table ^ c.table) == function.table) return GateMatch{true, GateKind::xor3, operand};
        const GateTable majority =
            static_cast<GateTable>((a.table & b.table) | (a.table & c.table) | (b.table & c.table));
        if (majority == function.table) return GateMatch{true, GateKind::maj3, operand};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<GateMatch> match_gate(std::span<const PostfixToken> tokens) {
  if (auto match = match_operator(tokens)) return match;
  if (auto match = match_majority(tokens)) return match;
  const auto function = tabulate(tokens);
  return function ? match_table(*function) : std::nullopt;
}

}  // namespace nestor::io
