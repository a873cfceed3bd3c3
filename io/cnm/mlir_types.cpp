#include "io/cnm/mlir_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"

namespace nestor::io {
namespace {

using cnm::Op;

struct ArithOperation {
  std::string_view word;
  ArithWord meaning;
};
constexpr auto arith_operations = std::to_array<ArithOperation>({
    {"addi", {Op::add}},
    {"addf", {Op::add}},
    {"subi", {Op::sub}},
    {"subf", {Op::sub}},
    {"negf", {Op::sub, false, 1}},
    {"muli", {Op::mul}},
    {"mulf", {Op::mul}},
    {"divsi", {Op::div}},
    {"divui", {Op::div}},
    {"divf", {Op::div}},
    {"minsi", {Op::min}},
    {"minui", {Op::min}},
    {"minimumf", {Op::min}},
    {"minnumf", {Op::min}},
    {"minf", {Op::min}},
    {"maxsi", {Op::max}},
    {"maxui", {Op::max}},
    {"maximumf", {Op::max}},
    {"maxnumf", {Op::max}},
    {"maxf", {Op::max}},
    {"andi", {Op::bit_and}},
    {"ori", {Op::bit_or}},
    {"xori", {Op::bit_xor}},
    {"shli", {Op::shl}},
    {"shrsi", {Op::shr}},
    {"shrui", {Op::shr}},
    {"cmpi", {Op::cmp, false, 2, true}},
    {"cmpf", {Op::cmp, false, 2, true}},
    {"select", {Op::select, false, 3}},
    {"extsi", {Op::move, true, 1}},
    {"extui", {Op::move, true, 1}},
    {"extf", {Op::move, true, 1}},
    {"trunci", {Op::move, true, 1}},
    {"truncf", {Op::move, true, 1}},
});

// Consumes the text up to the matching ">", including the arrows and brackets of a layout, and returns it
// without the ">".
std::string shape_text(Lexer& lexer) {
  std::string text = lexer.raw_until('>');
  lexer.expect(">");
  const auto open = [&] {
    Int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool arrow = i > 0 && text[i - 1] == '-';
      depth += text[i] == '<' ? 1 : text[i] == '>' && !arrow ? -1 : 0;
    }
    return depth > 0 || text.ends_with('-');
  };
  while (!lexer.at_end() && open()) {
    text += ">" + lexer.raw_until('>');
    lexer.expect(">");
  }
  return text;
}

std::string element_names() { return join_words(cnm::element_types.words); }

}  // namespace

std::optional<ArithWord> arith_word(std::string_view word) {
  for (const ArithOperation& row : arith_operations)
    if (row.word == word) return row.meaning;
  return std::nullopt;
}

std::vector<std::string_view> arith_words() {
  std::vector<std::string_view> words = {"constant"};
  for (const ArithOperation& row : arith_operations) words.push_back(row.word);
  return words;
}

cnm::Type read_element_type(Lexer& lexer) {
  const Token token = lexer.next();
  if (const auto type = cnm::element_types.find(token.text)) return *type;
  const auto advice = token.text.starts_with('!') ? lowering_advice(token.text.substr(1)) : std::string();
  if (advice.empty())
    lexer.fail_at(token, element_names());
  else
    lexer.fail(token.where, advice);
  return cnm::Type::i32;
}

bool is_compatible(const ShapedType& named, const ShapedType& known) {
  if (named.element != known.element || named.dims.size() != known.dims.size()) return false;
  for (std::size_t d = 0; d < named.dims.size(); ++d)
    if (named.dims[d] != open_extent && named.dims[d] != known.dims[d]) return false;
  return true;
}

ShapedType read_shaped_type(Lexer& lexer) {
  ShapedType type;
  if (!lexer.is("memref") && !lexer.is("tensor")) {
    type.scalar = true;
    type.element = read_element_type(lexer);
    return type;
  }
  type.memref = lexer.next().text == "memref";
  if (!lexer.is("<")) {
    lexer.fail_here("'<'");
    return type;
  }
  lexer.next();
  const auto where = lexer.peek();
  const std::string shape = shape_text(lexer);
  std::string_view rest = shape;
  if (const auto comma = rest.find(','); comma != std::string_view::npos)
    rest = rest.substr(0, comma);  // drops a layout
  while (!rest.empty() && (rest[0] == '?' || (rest[0] >= '0' && rest[0] <= '9'))) {
    const auto x = rest.find('x');
    if (x == std::string_view::npos) break;
    const bool open = rest.substr(0, x) == "?";
    const auto extent = open ? std::optional(open_extent) : to_integer(rest.substr(0, x));
    if (!extent || (*extent < 1 && !open) || *extent > cnm::max_count || type.dims.size() >= cnm::max_dims) {
      lexer.fail_at(where, fmt::format("extents of at least 1, at most {} of them", cnm::max_dims));
      return type;
    }
    type.dims.push_back(*extent);
    rest.remove_prefix(x + 1);
  }
  if (const auto element = cnm::element_types.find(rest))
    type.element = *element;
  else
    lexer.fail(where.where,
               fmt::format("expected an element type of {}, found {}", element_names(), quote(rest)));
  return type;
}

cnm::AffineExpr read_affine_sum(Lexer& lexer, const std::vector<std::string>& names) {
  cnm::AffineExpr expr{std::vector<Int>(names.size(), 0), 0};
  do {
    Int factor = 1;
    bool number = false;
    if (lexer.peek().kind == TokenKind::number) {
      factor = lexer.number("a factor", 0, cnm::max_count);
      number = true;
    }
    if (number && !lexer.accept("*")) {
      expr.constant += factor;
      continue;
    }
    const bool symbol = lexer.accept("symbol");
    if (symbol) lexer.expect("(");
    const Token token = lexer.peek();
    const auto name = lexer.word("a dim");
    if (symbol) lexer.expect(")");
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      lexer.fail_at(token, "a dim of the map" + suggestion(name, {names.begin(), names.end()}));
      break;
    }
    if (lexer.accept("*")) factor *= lexer.number("a factor", 0, 1'000'000);
    expr.factors[static_cast<std::size_t>(at - names.begin())] += factor;
  } while (lexer.accept("+"));
  return expr;
}

AffineMap read_affine_map(Lexer& lexer) {
  AffineMap map;
  std::vector<std::string> names;
  lexer.expect("<");
  lexer.expect("(");
  while (!lexer.at_end() && !lexer.is(")")) {
    names.push_back(lexer.word("a dim such as d0"));
    if (names.size() > cnm::max_dims) lexer.fail_here(fmt::format("at most {} dims", cnm::max_dims));
    if (!lexer.accept(",")) break;
  }
  lexer.expect(")");
  lexer.expect("->");
  lexer.expect("(");
  map.dims = names.size();
  while (!lexer.at_end() && !lexer.is(")")) {
    map.exprs.push_back(read_affine_sum(lexer, names));
    if (map.exprs.size() > cnm::max_dims) lexer.fail_here(fmt::format("at most {} results", cnm::max_dims));
    if (!lexer.accept(",")) break;
  }
  lexer.expect(")");
  lexer.expect(">");
  return map;
}

}  // namespace nestor::io
