// Lexer of the LP format. Its tokens are numbers, names, signs, relations and colons. Comments extend from a
// backslash to the end of the line.
#pragma once

#include <string_view>

namespace nestor::io {

struct LpToken {
  enum class Kind { end, number, name, plus, minus, less_equal, greater_equal, equal, colon, other };
  Kind kind = Kind::end;
  std::string_view text;
  double value = 0;  ///< value of a number
  int line = 1;
  int column = 1;
  bool first_in_line = false;
};

class LpLexer {
 public:
  explicit LpLexer(std::string_view text) : text_(text) {}
  LpToken next();

 private:
  void skip_blanks();
  LpToken take(LpToken::Kind kind, std::size_t length);
  LpToken take_relation();
  std::size_t number_length() const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  bool first_in_line_ = true;
};

}  // namespace nestor::io
