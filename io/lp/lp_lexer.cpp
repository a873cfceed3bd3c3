#include "io/lp/lp_lexer.h"

#include <cctype>

#include "io/lp/number.h"

namespace nestor::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True for characters of names: letters, digits and marks according to the CPLEX reference, and bytes of
// characters beyond ASCII.
bool is_name_character(char c) {
  constexpr std::string_view marks = "!\"#$%&(),.;?@_'`{}~/|";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void LpLexer::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\\')
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    else if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
      first_in_line_ = true;
    } else if (c != ' ' && c != '\t' && c != '\r')
      return;
  }
}

LpToken LpLexer::take(LpToken::Kind kind, std::size_t length) {
  LpToken token;
  token.kind = kind;
  token.text = text_.substr(at_, length);
  token.line = line_;
  token.column = static_cast<int>(at_ - line_start_) + 1;
  token.first_in_line = first_in_line_;
  first_in_line_ = false;
  at_ += length;
  return token;
}

LpToken LpLexer::take_relation() {
  const char first = text_[at_];
  const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  const bool two = (second == '=' && first != '=') || (first == '=' && (second == '<' || second == '>'));
  const char direction = first == '=' && two ? second : first;
  const auto kind = direction == '<'   ? LpToken::Kind::less_equal
                    : direction == '>' ? LpToken::Kind::greater_equal
                                       : LpToken::Kind::equal;
  return take(kind, two ? 2 : 1);
}

// Returns the length of a number: digits, a point, and an exponent only if digits follow it ("3e" is 3 times
// e).
std::size_t LpLexer::number_length() const {
  std::size_t i = at_;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text_.size() && is_digit(text_[i])) ++i;
    return i - begin;
  };
  std::size_t count = digits();
  if (i < text_.size() && text_[i] == '.') {
    ++i;
    count += digits();
  }
  if (count == 0) return 0;
  if (i < text_.size() && (text_[i] == 'e' || text_[i] == 'E')) {
    const std::size_t mantissa_end = i++;
    if (i < text_.size() && (text_[i] == '+' || text_[i] == '-')) ++i;
    if (digits() == 0) i = mantissa_end;
  }
  return i - at_;
}

LpToken LpLexer::next() {
  skip_blanks();
  if (at_ == text_.size()) return take(LpToken::Kind::end, 0);
  const char c = text_[at_];
  if (c == '+') return take(LpToken::Kind::plus, 1);
  if (c == '-') return take(LpToken::Kind::minus, 1);
  if (c == ':') return take(LpToken::Kind::colon, 1);
  if (c == '<' || c == '>' || c == '=') return take_relation();
  if (is_digit(c) || c == '.') {
    const std::size_t length = number_length();
    if (length > 0) {
      LpToken token = take(LpToken::Kind::number, length);
      const auto value = parse_model_number(token.text);
      if (!value) token.kind = LpToken::Kind::other;
      token.value = value.value_or(0);
      return token;
    }
  }
  if (!is_name_character(c) || c == '.') return take(LpToken::Kind::other, 1);
  std::size_t length = 1;
  while (at_ + length < text_.size() && is_name_character(text_[at_ + length])) ++length;
  return take(LpToken::Kind::name, length);
}

}  // namespace nestor::io
