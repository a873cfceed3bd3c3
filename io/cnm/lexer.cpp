#include "io/cnm/lexer.h"

#include <fmt/format.h>

#include "base/parse_number.h"
#include "io/checked_reader.h"

namespace nestor::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool goes_on(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '$'; }
bool opens_word(char c) {
  return is_letter(c) || std::string_view("%#@^!.$").find(c) != std::string_view::npos;
}

}  // namespace

std::string Token::describe() const {
  if (kind == TokenKind::end) return "the end";
  return quote(text);
}

Lexer::Lexer(std::string_view text, std::string file, std::string_view comment)
    : source_(text), file_(std::move(file)), comment_(comment) {
  advance();
}

void Lexer::advance() {
  bool first = at_ == 0;
  while (at_ < source_.size()) {
    const char c = source_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++at_;
      first = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (source_.substr(at_, comment_.size()) == comment_) {
      while (at_ < source_.size() && source_[at_] != '\n') ++at_;
    } else {
      break;
    }
  }
  token_ = {TokenKind::end, {}, here(), first};
  if (at_ >= source_.size() || failed()) return;
  const std::size_t begin = at_;
  const char c = source_[at_++];
  if (is_digit(c)) {
    token_.kind = TokenKind::number;
    if (c == '0' && at_ < source_.size() && source_[at_] == 'x' && at_ + 1 < source_.size() &&
        std::isxdigit(static_cast<unsigned char>(source_[at_ + 1])) != 0) {
      for (++at_; at_ < source_.size() && std::isxdigit(static_cast<unsigned char>(source_[at_])) != 0;)
        ++at_;
    } else {
      while (at_ < source_.size() && (is_digit(source_[at_]) || source_[at_] == '.')) ++at_;
      if (at_ + 1 < source_.size() && source_[at_] == 'e' &&
          (is_digit(source_[at_ + 1]) || source_[at_ + 1] == '-' || source_[at_ + 1] == '+'))
        for (at_ += 2; at_ < source_.size() && is_digit(source_[at_]);) ++at_;
    }
  } else if (opens_word(c)) {
    token_.kind = TokenKind::word;
    while (at_ < source_.size() && goes_on(source_[at_])) ++at_;
  } else if (c == '"') {
    token_.kind = TokenKind::text;
    while (at_ < source_.size() && source_[at_] != '"' && source_[at_] != '\n') ++at_;
    if (at_ == source_.size() || source_[at_] == '\n') return fail(token_.where, "expected a closing '\"'");
    token_.text = source_.substr(begin + 1, at_ - begin - 1);
    ++at_;
    return;
  } else {
    token_.kind = TokenKind::sign;
    if (c == '-' && at_ < source_.size() && source_[at_] == '>') ++at_;
  }
  token_.text = source_.substr(begin, at_ - begin);
}

Token Lexer::next() {
  Token taken = token_;
  if (!at_end()) advance();
  return taken;
}

bool Lexer::accept(std::string_view text) {
  if (!is(text) || at_end()) return false;
  next();
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail_here(fmt::format("'{}'", text));
}

std::string Lexer::word(std::string_view what) {
  if (token_.kind != TokenKind::word) {
    fail_here(what);
    return {};
  }
  return std::string(next().text);
}

Int Lexer::number(std::string_view what, Int low, Int high) {
  const Token start = token_;
  const bool negative = accept("-");
  std::optional<Int> value;
  if (token_.kind == TokenKind::number) {
    if (token_.text.substr(0, 2) == "0x" && token_.text.size() <= 17)
      value = parse_hex<Int>(token_.text.substr(2));
    else
      value = to_integer(token_.text);
  }
  if (value && negative) value = -*value;
  if (!value || *value < low || *value > high) {
    const auto found = token_.describe();
    fail(start.where, fmt::format("expected {} from {} to {}, found {}", what, low, high,
                                  negative ? "-" + std::string(token_.text) : found));
    return low;
  }
  next();
  return *value;
}

std::string Lexer::raw_until(char stop) {
  std::string raw;
  if (token_.text.size() == 1 && token_.text[0] == stop) return raw;
  raw = token_.text;
  while (at_ < source_.size() && source_[at_] != stop && source_[at_] != '\n') {
    if (source_[at_] != ' ') raw += source_[at_];
    ++at_;
  }
  advance();
  return raw;
}

void Lexer::fail(const SourceLocation& where, std::string message) {
  if (!error_) error_ = input_error(where, std::move(message));
  token_ = {TokenKind::end, {}, where, false};
  at_ = source_.size();
}

void Lexer::fail_at(const Token& token, std::string_view expected) {
  fail(token.where, fmt::format("expected {}, found {}", expected, token.describe()));
}

}  // namespace nestor::io
