#include "io/cnm/llvcnm.h"

#include <fmt/format.h>
#include <cmath>

#include <algorithm>

#include "base/parse_number.h"
#include "io/cnm/lexer.h"

namespace nestor::io {
namespace {

using cnm::Line;
using cnm::LineKind;
using cnm::Listing;

constexpr std::size_t most_lines = 100'000;
constexpr std::array<std::string_view, 13> line_words = {"leave",     "load",    "store", "call", "dma.read",
                                                         "dma.write", "barrier", "ret",   "jump", "share",
                                                         "operand",   "buffer",  "values"};

template <std::size_t N>
std::size_t position(const std::array<std::string_view, N>& words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

class LlvCnmParser {
 public:
  LlvCnmParser(std::string_view text, const std::string& file) : lexer_(text, file, ";") {}

  Result<Listing> run() {
    header();
    while (!lexer_.at_end() && listing_.lines.size() < most_lines) statement();
    if (listing_.lines.size() >= most_lines)
      lexer_.fail(lexer_.peek().where, fmt::format("expected at most {} lines", most_lines));
    if (lexer_.failed()) return lexer_.error();
    return std::move(listing_);
  }

 private:
  void header() {
    lexer_.expect("llvcnm");
    lexer_.number("version", 1, 1);
    listing_.name = lexer_.word("the kernel's name");
    const Token target = lexer_.next();
    if (target.text != "upmem") lexer_.fail_at(target, "target 'upmem'");
  }

  void statement() {
    if (!lexer_.peek().first_on_line) return lexer_.fail_here("the end of the line");
    const Token first = lexer_.next();
    if (first.kind != TokenKind::word) return lexer_.fail_at(first, "a label or an instruction");
    Line line;
    line.source_line = first.where.line;
    line.source_column = first.where.column;
    if (lexer_.accept(":")) return label(first, line);
    const auto dot = first.text.find('.');
    const auto head = first.text.substr(0, dot);
    if (first.text == "operand") return operand();
    if (first.text == "buffer") return buffer();
    if (first.text == "values") return values();
    if (first.text == "dma.read" || first.text == "dma.write") return transfer(first, line);
    if (first.text == "call") return call(line);
    if (first.text == "barrier") return plain(line, LineKind::barrier);
    if (first.text == "leave") return plain(line, LineKind::leave);
    if (first.text == "ret") return plain(line, LineKind::ret);
    if (first.text == "share") return share(line);
    if (first.text == "jump") {
      line.target = lexer_.word("a label");
      return plain(line, LineKind::jump);
    }
    if (dot == std::string_view::npos && first.text.size() > 1 && first.text[0] == 'j')
      return branch(first, line);
    if (head == "load" || head == "store") return access(first, head, line);
    operation(first, head, line);
  }

  void plain(Line& line, LineKind kind) {
    line.kind = kind;
    listing_.lines.push_back(std::move(line));
  }

  void label(const Token& first, Line& line) {
    line.name = std::string(first.text);
    const Token& next = lexer_.peek();
    if (!next.first_on_line && next.kind == TokenKind::word && next.text[0] == 'x') {
      Int trips = 0;
      if (next.text.size() > 1) {
        const Token token = lexer_.next();
        Lexer digits(token.text.substr(1), token.where.file, ";");
        trips = digits.number("trips", 0, cnm::max_count);
        if (digits.failed() || !digits.at_end()) lexer_.fail_at(token, "trips such as x4");
      } else {
        lexer_.next();
        trips = lexer_.number("trips", 0, cnm::max_count);
      }
      line.amount = trips;
    }
    plain(line, LineKind::label);
  }

  cnm::Type type_named(const Token& token, std::string_view word) {
    if (word == "idx") return cnm::Type::index;
    if (const auto type = cnm::element_types.find(word)) return *type;
    const auto& names = cnm::element_types.words;
    lexer_.fail_at(token, "a type" + suggestion(word, {names.begin(), names.end()}));
    return cnm::Type::i32;
  }

  cnm::Type type_token() {
    const Token token = lexer_.next();
    return type_named(token, token.text);
  }

  void operand() {
    cnm::ListingOperand operand;
    operand.name = fresh_name(lexer_, listing_.operands, "an operand's name");
    operand.type = type_token();
    const auto shape = lexer_.peek();
    Int dim = lexer_.number("an extent", 1, cnm::max_count);
    operand.dims.push_back(dim);
    std::string_view rest = lexer_.peek().text;
    const bool more = lexer_.peek().kind == TokenKind::word && rest.size() > 1 && rest[0] == 'x' &&
                      std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
    if (more) {
      const Token token = lexer_.next();
      for (rest = token.text; !rest.empty();) {
        const auto end = std::min(rest.find('x', 1), rest.size());
        Lexer digits(rest.substr(1, end - 1), token.where.file, ";");
        operand.dims.push_back(digits.number("an extent", 1, cnm::max_count));
        if (rest[0] != 'x' || digits.failed() || !digits.at_end())
          return lexer_.fail_at(shape, "extents such as 64x256");
        rest.remove_prefix(end);
      }
    }
    if (operand.dims.size() == 1 && dim == 1) operand.dims.clear();
    const Token direction = lexer_.next();
    const auto found = cnm::directions.find(direction.text);
    if (!found) return lexer_.fail_at(direction, "'in', 'out' or 'inout'");
    operand.direction = *found;
    const Token place = lexer_.next();
    if (place.text != "mram" && place.text != "bank") return lexer_.fail_at(place, "'mram' or 'bank'");
    operand.shared = !lexer_.peek().first_on_line && lexer_.accept("shared");
    listing_.operands.push_back(std::move(operand));
  }

  void buffer() {
    cnm::Buffer buffer;
    buffer.name = fresh_name(lexer_, listing_.buffers, "a buffer's name");
    buffer.type = type_token();
    buffer.count = lexer_.number("a count", 1, cnm::max_count);
    lexer_.expect("wram");
    listing_.buffers.push_back(std::move(buffer));
  }

  void values() {
    lexer_.expect("mul");
    lexer_.expect("=");
    listing_.multiply_k = lexer_.number("k", 0, 64);
  }

  std::string known_buffer() {
    const Token token = lexer_.next();
    std::vector<std::string_view> names;
    for (const auto& buffer : listing_.buffers) names.push_back(buffer.name);
    if (std::find(names.begin(), names.end(), token.text) == names.end())
      lexer_.fail_at(token, "a buffer" + suggestion(token.text, names));
    return std::string(token.text);
  }

  std::string known_operand() {
    const Token token = lexer_.next();
    std::vector<std::string_view> names;
    for (const auto& operand : listing_.operands) names.push_back(operand.name);
    if (std::find(names.begin(), names.end(), token.text) == names.end())
      lexer_.fail_at(token, "an operand" + suggestion(token.text, names));
    return std::string(token.text);
  }

  void transfer(const Token& first, Line& line) {
    line.name = known_buffer();
    lexer_.expect(",");
    line.target = known_operand();
    lexer_.expect(",");
    line.amount = lexer_.number("bytes", 1, cnm::max_count);
    plain(line, first.text == "dma.read" ? LineKind::dma_read : LineKind::dma_write);
  }

  void call(Line& line) {
    line.name = lexer_.word("a function");
    if (lexer_.accept(",")) line.amount = lexer_.number("bytes", 0, cnm::max_count);
    plain(line, LineKind::call);
  }

  void share(Line& line) {
    const Token token = lexer_.next();
    double share = token.kind == TokenKind::number ? parse_number<double>(token.text).value_or(-1) : -1;
    if (!(share >= 0 && share <= 1)) {
      lexer_.fail_at(token, "a share from 0 to 1");
      share = 0;
    }
    line.share_thousandths = std::llround(share * 1000);
    line.target = lexer_.word("a label");
    plain(line, LineKind::share);
  }

  std::string register_or_number() {
    if (lexer_.peek().kind == TokenKind::word) return std::string(lexer_.next().text);
    const Int number = lexer_.number("a register or a number", -cnm::max_count, cnm::max_count);
    return fmt::format("{}", number);
  }

  void branch(const Token& first, Line& line) {
    line.name = std::string(first.text.substr(1));
    constexpr std::array<std::string_view, 10> conditions = {"eq",  "neq", "ltu", "leu", "gtu",
                                                             "geu", "lts", "les", "gts", "ges"};
    if (position(conditions, line.name) == conditions.size()) return unknown(first);
    line.operands.push_back(register_or_number());
    lexer_.expect(",");
    line.operands.push_back(register_or_number());
    lexer_.expect(",");
    line.target = lexer_.word("a label");
    plain(line, LineKind::branch);
  }

  void access(const Token& first, std::string_view head, Line& line) {
    const auto type = first.text.substr(std::min(first.text.size(), head.size() + 1));
    line.type = type_named(first, type);
    line.operands.push_back(register_or_number());
    lexer_.expect(",");
    line.name = known_buffer();
    plain(line, head == "load" ? LineKind::load : LineKind::store);
  }

  void unknown(const Token& first) {
    std::vector<std::string_view> names(line_words.begin(), line_words.end());
    names.insert(names.end(), cnm::operations.words.begin(), cnm::operations.words.end());
    lexer_.fail_at(first, "an instruction" + suggestion(first.text.substr(0, first.text.find('.')), names));
  }

  void operation(const Token& first, std::string_view head, Line& line) {
    const auto op = cnm::operations.find(head);
    if (!op || cnm::accesses_memory(*op) || head.size() == first.text.size()) return unknown(first);
    line.op = *op;
    line.type = type_named(first, first.text.substr(head.size() + 1));
    line.operands.push_back(register_or_number());
    while (!lexer_.peek().first_on_line && lexer_.accept(",")) {
      if (line.operands.size() > 4) return lexer_.fail_here("at most four operands");
      line.operands.push_back(register_or_number());
    }
    // In "..., cond, label", the condition is a plain word, unlike registers and buffers.
    if (line.operands.size() >= 3 && is_condition(line.operands[line.operands.size() - 2])) {
      line.target = line.operands.back();
      line.operands.pop_back();
      line.condition = line.operands.back();
      line.operands.pop_back();
    }
    plain(line, LineKind::op);
  }

  static bool is_condition(std::string_view word) {
    constexpr std::array<std::string_view, 26> conditions = {
        "true", "z",   "nz",  "e",    "o",  "pl",  "mi",   "c",    "nc",   "ov",   "nov", "sz",  "snz",
        "spl",  "smi", "max", "nmax", "xz", "xnz", "xleu", "xgtu", "xles", "xgts", "eq",  "neq", "xltu"};
    return position(conditions, word) < conditions.size();
  }

  Lexer lexer_;
  Listing listing_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string_view type_word(cnm::Type type) {
  return type == cnm::Type::index ? "idx" : cnm::element_types.word(type);
}

std::string line_text(const Line& line) {
  switch (line.kind) {
    case LineKind::label:
      return line.amount ? fmt::format("{}: x{}", line.name, *line.amount) : line.name + ":";
    case LineKind::op: {
      auto text = fmt::format("  {}.{} {}", cnm::operations.word(line.op), type_word(line.type),
                              joined(line.operands));
      if (!line.condition.empty()) text += fmt::format(", {}, {}", line.condition, line.target);
      return text;
    }
    case LineKind::load:
      return fmt::format("  load.{} {}, {}", type_word(line.type), line.operands[0], line.name);
    case LineKind::store:
      return fmt::format("  store.{} {}, {}", type_word(line.type), line.operands[0], line.name);
    case LineKind::call:
      return line.amount ? fmt::format("  call {}, {}", line.name, *line.amount) : "  call " + line.name;
    case LineKind::dma_read:
      return fmt::format("  dma.read {}, {}, {}", line.name, line.target, *line.amount);
    case LineKind::dma_write:
      return fmt::format("  dma.write {}, {}, {}", line.name, line.target, *line.amount);
    case LineKind::barrier:
      return "  barrier";
    case LineKind::leave:
      return "  leave";
    case LineKind::ret:
      return "  ret";
    case LineKind::jump:
      return "  jump " + line.target;
    case LineKind::branch:
      return fmt::format("  j{} {}, {}", line.name, joined(line.operands), line.target);
    case LineKind::share:
      return fmt::format("  share {} {}", static_cast<double>(line.share_thousandths) / 1000, line.target);
  }
  return {};
}

}  // namespace

Result<Listing> parse_llvcnm(std::string_view text, const std::string& file) {
  return LlvCnmParser(text, file).run();
}

std::string to_text(const Listing& listing) {
  std::string text = fmt::format("llvcnm 1 {} upmem\n", listing.name);
  for (const auto& operand : listing.operands) {
    std::string dims;
    for (const Int dim : operand.dims) dims += (dims.empty() ? "" : "x") + fmt::format("{}", dim);
    text += fmt::format("operand {} {} {} {} mram{}\n", operand.name, type_word(operand.type),
                        dims.empty() ? "1" : dims, cnm::directions.word(operand.direction),
                        operand.shared ? " shared" : "");
  }
  for (const auto& buffer : listing.buffers)
    text += fmt::format("buffer {} {} {} wram\n", buffer.name, type_word(buffer.type), buffer.count);
  if (listing.multiply_k != cnm::default_multiply_k)
    text += fmt::format("values mul={}\n", listing.multiply_k);
  for (const auto& line : listing.lines) text += line_text(line) + "\n";
  return text;
}

}  // namespace nestor::io
