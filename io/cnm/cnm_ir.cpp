#include "io/cnm/cnm_ir.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/lexer.h"

namespace nestor::io {
namespace {

using cnm::IndexExpr;
using cnm::IrKernel;
using cnm::IrStatement;
using StatementKind = cnm::IrStatement::Kind;

constexpr std::size_t most_statements = 100'000;
constexpr int deepest = 16;
constexpr std::array<std::string_view, 7> statement_words = {"for",   "read",   "write", "barrier",
                                                             "store", "reduce", "const"};

class IrParser {
 public:
  IrParser(std::string_view text, const std::string& file) : lexer_(text, file, ";") {}

  Result<IrKernel> run() {
    lexer_.expect("cnm");
    lexer_.number("version", 1, 1);
    kernel_.name = lexer_.word("the kernel's name");
    while (!lexer_.at_end() && !lexer_.is("{")) {
      if (lexer_.accept("operand"))
        operand();
      else if (lexer_.accept("buffer"))
        buffer();
      else
        lexer_.fail_here("'operand', 'buffer' or '{'");
    }
    kernel_.body = block(0);
    if (!lexer_.failed() && !lexer_.at_end()) lexer_.fail_here("the end");
    if (lexer_.failed()) return lexer_.error();
    return std::move(kernel_);
  }

 private:
  cnm::Type type() {
    const Token token = lexer_.next();
    if (const auto type = cnm::element_types.find(token.text)) return *type;
    const auto& names = cnm::element_types.words;
    lexer_.fail_at(token, "a type" + suggestion(token.text, {names.begin(), names.end()}));
    return cnm::Type::i32;
  }

  void operand() {
    cnm::ListingOperand operand;
    operand.name = fresh_name(lexer_, kernel_.operands, "an operand's name");
    lexer_.expect(":");
    operand.type = type();
    lexer_.expect("[");
    while (!lexer_.at_end() && !lexer_.is("]")) {
      operand.dims.push_back(lexer_.number("an extent", 1, cnm::max_count));
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect("]");
    const Token direction = lexer_.next();
    const auto found = cnm::directions.find(direction.text);
    if (!found) return lexer_.fail_at(direction, "'in', 'out' or 'inout'");
    operand.direction = *found;
    kernel_.operands.push_back(std::move(operand));
  }

  void buffer() {
    cnm::Buffer buffer;
    buffer.name = fresh_name(lexer_, kernel_.buffers, "a buffer's name");
    lexer_.expect(":");
    buffer.type = type();
    lexer_.expect("[");
    buffer.count = lexer_.number("a count", 1, cnm::max_count);
    lexer_.expect("]");
    kernel_.buffers.push_back(std::move(buffer));
  }

  template <typename Named>
  std::string known(const std::vector<Named>& list, std::string_view what) {
    const Token token = lexer_.next();
    std::vector<std::string_view> names;
    for (const auto& item : list) names.push_back(item.name);
    if (std::find(names.begin(), names.end(), token.text) == names.end())
      lexer_.fail_at(token, fmt::format("{}{}", what, suggestion(token.text, names)));
    return std::string(token.text);
  }

  std::vector<IrStatement> block(int depth) {
    std::vector<IrStatement> body;
    if (depth > deepest) {
      lexer_.fail_here(fmt::format("at most {} nested loops", deepest));
      return body;
    }
    lexer_.expect("{");
    while (!lexer_.at_end() && !lexer_.is("}")) {
      if (++statements_ > most_statements)
        lexer_.fail_here(fmt::format("at most {} statements", most_statements));
      body.push_back(statement(depth));
    }
    lexer_.expect("}");
    return body;
  }

  IrStatement statement(int depth) {
    IrStatement s;
    const Token first = lexer_.next();
    if (first.text == "for") {
      s.name = lexer_.word("a loop variable");
      lexer_.expect("in");
      s.amount = lexer_.number("trips", 0, cnm::max_count);
      variables_.push_back(s.name);
      last_.push_back(std::max<Int>(0, s.amount - 1));
      s.body = block(depth + 1);
      variables_.pop_back();
      last_.pop_back();
    } else if (first.text == "read") {
      s.kind = StatementKind::read;
      place(s);
      lexer_.expect("->");
      s.buffer = known(kernel_.buffers, "a buffer");
      size(s);
    } else if (first.text == "write") {
      s.kind = StatementKind::write;
      s.buffer = known(kernel_.buffers, "a buffer");
      lexer_.expect("->");
      place(s);
      size(s);
    } else if (first.text == "barrier") {
      s.kind = StatementKind::barrier;
    } else if (first.text == "reduce") {
      s.kind = StatementKind::reduce;
      s.buffer = known(kernel_.buffers, "a buffer");
      lexer_.expect("->");
      s.name = known(kernel_.operands, "an operand");
      size(s);
      lexer_.expect("parts");
      s.parts = lexer_.number("parts", 1, 1000);
    } else if (first.text == "store") {
      s.kind = StatementKind::store;
      s.name = lexer_.word("a value");
      lexer_.expect("->");
      element(s);
    } else if (first.kind == TokenKind::word && lexer_.is("=")) {
      s.name = std::string(first.text);
      lexer_.next();
      definition(s);
    } else {
      lexer_.fail_at(
          first, "a statement" + suggestion(first.text, {statement_words.begin(), statement_words.end()}));
    }
    return s;
  }

  void size(IrStatement& s) {
    lexer_.expect("size");
    const Token token = lexer_.peek();
    s.amount = lexer_.number("elements", 1, cnm::max_count);
    if (s.kind == StatementKind::reduce) return;
    if (const Int room = count_of(s.buffer); !lexer_.failed() && s.amount > room)
      lexer_.fail_at(token, fmt::format("at most the {} elements of buffer '{}'", room, s.buffer));
  }

  Int count_of(const std::string& name) const {
    for (const auto& buffer : kernel_.buffers)
      if (buffer.name == name) return buffer.count;
    return 0;
  }

  void place(IrStatement& s) {
    s.name = known(kernel_.operands, "an operand");
    const Token bracket = lexer_.peek();
    lexer_.expect("[");
    while (!lexer_.at_end() && !lexer_.is("]")) {
      s.indices.push_back(index());
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect("]");
    for (const auto& operand : kernel_.operands)
      if (!lexer_.failed() && operand.name == s.name && operand.dims.size() != s.indices.size())
        lexer_.fail(bracket.where,
                    fmt::format("expected {} indices, one for each dim of operand '{}', found {}",
                                operand.dims.size(), s.name, s.indices.size()));
  }

  void element(IrStatement& s) {
    s.buffer = known(kernel_.buffers, "a buffer");
    for (const auto& buffer : kernel_.buffers)
      if (buffer.name == s.buffer) s.type = buffer.type;
    lexer_.expect("[");
    const Token token = lexer_.peek();
    s.indices.push_back(index());
    lexer_.expect("]");
    if (const Int room = count_of(s.buffer); !lexer_.failed() && !stays_within(s.indices[0], room))
      lexer_.fail_at(
          token, fmt::format("an index that stays within the {} elements of buffer '{}'", room, s.buffer));
  }

  // True if the index is at least 0 and below `room` in all trips of the enclosing loops.
  bool stays_within(const IndexExpr& index, Int room) const {
    double low = static_cast<double>(index.constant), high = low;
    for (const auto& [name, factor] : index.terms) {
      const auto loop = std::find(variables_.rbegin(), variables_.rend(), name) - variables_.rbegin();
      const auto reach = static_cast<double>(factor) *
                         static_cast<double>(last_[last_.size() - 1 - static_cast<std::size_t>(loop)]);
      (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high < static_cast<double>(room);
  }

  // Reads a sum of integers, variables, and products of an integer and a variable.
  IndexExpr index() {
    IndexExpr expr;
    do {
      const bool negative = lexer_.accept("-");
      Int factor = 1;
      bool number = false;
      if (lexer_.peek().kind == TokenKind::number) {
        factor = lexer_.number("an index", 0, cnm::max_count);
        number = true;
      }
      if (negative) factor = -factor;
      if (number && !lexer_.accept("*")) {
        expr.constant += factor;
        continue;
      }
      const Token variable = lexer_.peek();
      const auto name = lexer_.word("a loop variable");
      if (std::find(variables_.begin(), variables_.end(), name) == variables_.end())
        lexer_.fail_at(variable, "the variable of an enclosing loop" +
                                     suggestion(name, {variables_.begin(), variables_.end()}));
      expr.terms.emplace_back(name, factor);
    } while (lexer_.accept("+"));
    return expr;
  }

  std::string argument() {
    if (lexer_.peek().kind == TokenKind::word) return std::string(lexer_.next().text);
    const bool negative = lexer_.accept("-");
    const Token token = lexer_.next();
    if (token.kind != TokenKind::number) lexer_.fail_at(token, "a value or a number");
    return (negative ? "-" : "") + std::string(token.text);
  }

  void definition(IrStatement& s) {
    const Token what = lexer_.next();
    if (what.text == "const") {
      s.kind = StatementKind::constant;
      s.type = type();
      s.arguments.push_back(argument());
      return;
    }
    if (what.text == "load") {
      s.kind = StatementKind::load;
      element(s);
      return;
    }
    s.kind = StatementKind::operation;
    const auto op = cnm::operations.find(what.text);
    const auto& names = cnm::operations.words;
    if (!op || cnm::accesses_memory(*op))
      return lexer_.fail_at(what, "an operation" + suggestion(what.text, {names.begin(), names.end()}));
    s.op = *op;
    s.type = type();
    do s.arguments.push_back(argument());
    while (lexer_.accept(",") && s.arguments.size() < 4);
  }

  Lexer lexer_;
  IrKernel kernel_;
  std::vector<std::string> variables_;
  std::vector<Int> last_;  // value of each variable in the last trip of its loop
  std::size_t statements_ = 0;
};

std::string index_text(const IndexExpr& index) {
  std::string text;
  for (const auto& [variable, factor] : index.terms) {
    if (!text.empty()) text += " + ";
    text += factor == 1 ? variable : fmt::format("{}*{}", factor, variable);
  }
  if (index.constant != 0 || text.empty())
    text += (text.empty() ? "" : " + ") + fmt::format("{}", index.constant);
  return text;
}

std::string indices_text(const std::vector<IndexExpr>& indices) {
  std::string text;
  for (const auto& index : indices) text += (text.empty() ? "" : ", ") + index_text(index);
  return "[" + text + "]";
}

void append_statements(std::string& text, const std::vector<IrStatement>& body, int depth) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const IrStatement& s : body) {
    text += indent;
    const auto type = cnm::element_types.word(s.type);
    switch (s.kind) {
      case StatementKind::loop:
        text += fmt::format("for {} in {} {{\n", s.name, s.amount);
        append_statements(text, s.body, depth + 1);
        text += indent + "}";
        break;
      case StatementKind::read:
        text += fmt::format("read {}{} -> {} size {}", s.name, indices_text(s.indices), s.buffer, s.amount);
        break;
      case StatementKind::write:
        text += fmt::format("write {} -> {}{} size {}", s.buffer, s.name, indices_text(s.indices), s.amount);
        break;
      case StatementKind::barrier:
        text += "barrier";
        break;
      case StatementKind::reduce:
        text += fmt::format("reduce {} -> {} size {} parts {}", s.buffer, s.name, s.amount, s.parts);
        break;
      case StatementKind::constant:
        text += fmt::format("{} = const {} {}", s.name, type, s.arguments[0]);
        break;
      case StatementKind::load:
        text += fmt::format("{} = load {}{}", s.name, s.buffer, indices_text(s.indices));
        break;
      case StatementKind::operation:
        text += fmt::format("{} = {} {} {}", s.name, cnm::operations.word(s.op), type,
                            fmt::join(s.arguments, ", "));
        break;
      case StatementKind::store:
        text += fmt::format("store {} -> {}{}", s.name, s.buffer, indices_text(s.indices));
        break;
    }
    text += "\n";
  }
}

}  // namespace

Result<IrKernel> parse_cnm_ir(std::string_view text, const std::string& file) {
  return IrParser(text, file).run();
}

std::string to_text(const IrKernel& kernel) {
  std::string text = fmt::format("cnm 1 {}\n", kernel.name);
  for (const auto& operand : kernel.operands)
    text += fmt::format("operand {} : {}[{}] {}\n", operand.name, cnm::element_types.word(operand.type),
                        fmt::join(operand.dims, ","), cnm::directions.word(operand.direction));
  for (const auto& buffer : kernel.buffers)
    text +=
        fmt::format("buffer {} : {}[{}]\n", buffer.name, cnm::element_types.word(buffer.type), buffer.count);
  text += "{\n";
  append_statements(text, kernel.body, 1);
  return text + "}\n";
}

}  // namespace nestor::io
