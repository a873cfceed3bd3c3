#include "io/netlist/cover_expression.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace nestor::io {
namespace {

using CoverKind = PostfixToken::Kind;
using CoverTable = std::uint64_t;  // truth table of up to six variables

constexpr std::size_t table_variables = 6;
constexpr std::array<CoverTable, table_variables> cover_variable = {
    0xaaaaaaaaaaaaaaaaULL, 0xccccccccccccccccULL, 0xf0f0f0f0f0f0f0f0ULL,
    0xff00ff00ff00ff00ULL, 0xffff0000ffff0000ULL, 0xffffffff00000000ULL};

CoverTable table_of(const Cover& cover) {
  CoverTable table = 0;
  for (const auto cube : cover.cubes) {
    CoverTable product = ~CoverTable{0};
    for (std::size_t i = 0; i < cube.size(); ++i) {
      if (cube[i] != '-') product &= cube[i] == '1' ? cover_variable[i] : ~cover_variable[i];
    }
    table |= product;
  }
  return cover.off_set ? ~table : table;
}

CoverTable cofactor(CoverTable table, std::size_t variable, bool value) {
  const auto shift = 1U << variable;
  const auto part = value ? table & cover_variable[variable] : table & ~cover_variable[variable];
  return value ? part | (part >> shift) : part | (part << shift);
}

// Splits a truth table by one variable after another. Variables whose split needs only one cofactor (AND, OR
// or XOR with a function of the other variables) come first. The recursion has at most six levels.
class Decomposer {
 public:
  explicit Decomposer(const std::vector<SymbolId>& inputs) : inputs_(inputs) {}

  std::vector<PostfixToken> decompose(CoverTable table) {
    add(table);
    return std::move(tokens_);
  }

 private:
  void add(CoverTable table);
  void add_variable(std::size_t variable, bool inverted);
  bool add_simple_split(CoverTable table, std::size_t variable);
  void add_multiplexer(CoverTable table, std::size_t variable);

  const std::vector<SymbolId>& inputs_;
  std::vector<PostfixToken> tokens_;
};

void Decomposer::add_variable(std::size_t variable, bool inverted) {
  tokens_.emplace_back(CoverKind::symbol, inputs_[variable]);
  if (inverted) tokens_.emplace_back(CoverKind::invert, 0);
}

bool Decomposer::add_simple_split(CoverTable table, std::size_t variable) {
  const auto when_0 = cofactor(table, variable, false);
  const auto when_1 = cofactor(table, variable, true);
  const CoverTable all = ~CoverTable{0};
  const auto split = [&](CoverKind kind, bool inverted, CoverTable rest) {
    add_variable(variable, inverted);
    add(rest);
    tokens_.emplace_back(kind, 2);
    return true;
  };
  if (when_0 == ~when_1) return split(CoverKind::parity, false, when_0);
  if (when_0 == 0) return split(CoverKind::conjunction, false, when_1);
  if (when_1 == 0) return split(CoverKind::conjunction, true, when_0);
  if (when_0 == all) return split(CoverKind::disjunction, true, when_1);
  if (when_1 == all) return split(CoverKind::disjunction, false, when_0);
  return false;
}

void Decomposer::add_multiplexer(CoverTable table, std::size_t variable) {
  add_variable(variable, false);
  add(cofactor(table, variable, true));
  tokens_.emplace_back(CoverKind::conjunction, 2);
  add_variable(variable, true);
  add(cofactor(table, variable, false));
  tokens_.emplace_back(CoverKind::conjunction, 2);
  tokens_.emplace_back(CoverKind::disjunction, 2);
}

void Decomposer::add(CoverTable table) {
  if (table == 0 || table == ~CoverTable{0}) {
    tokens_.emplace_back(CoverKind::constant, table == 0 ? 0 : 1);
    return;
  }
  std::size_t first = table_variables;
  for (std::size_t i = std::min(inputs_.size(), table_variables); i-- > 0;) {
    if (table == cover_variable[i] || table == ~cover_variable[i])
      return add_variable(i, table != cover_variable[i]);
    if (cofactor(table, i, false) != cofactor(table, i, true)) first = i;
  }
  for (std::size_t i = first; i < inputs_.size(); ++i) {
    if (cofactor(table, i, false) != cofactor(table, i, true) && add_simple_split(table, i)) return;
  }
  add_multiplexer(table, first);
}

std::vector<PostfixToken> sum_of_products(const Cover& cover) {
  std::vector<PostfixToken> tokens;
  std::uint32_t products = 0;
  for (const auto cube : cover.cubes) {
    std::uint32_t literals = 0;
    for (std::size_t i = 0; i < cube.size(); ++i) {
      if (cube[i] == '-') continue;
      tokens.emplace_back(CoverKind::symbol, cover.inputs[i]);
      if (cube[i] == '0') tokens.emplace_back(CoverKind::invert, 0);
      ++literals;
    }
    if (literals == 0) tokens.emplace_back(CoverKind::constant, 1);
    if (literals > 1) tokens.emplace_back(CoverKind::conjunction, literals);
    ++products;
  }
  if (products == 0) tokens.emplace_back(CoverKind::constant, 0);
  if (products > 1) tokens.emplace_back(CoverKind::disjunction, products);
  if (cover.off_set) tokens.emplace_back(CoverKind::invert, 0);
  return tokens;
}

}  // namespace

std::vector<PostfixToken> expression_of(const Cover& cover) {
  // For up to three inputs, a sum of products is enough: the network builder tabulates it and keeps the order
  // of the inputs.
  if (cover.inputs.size() <= 3 || cover.inputs.size() > table_variables) return sum_of_products(cover);
  return Decomposer(cover.inputs).decompose(table_of(cover));
}

}  // namespace nestor::io
