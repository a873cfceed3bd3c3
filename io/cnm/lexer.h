// Words, numbers and signs of the text languages of the cnm space (MLIR, llvcnm, CNM IR), with their places.
// The first error is kept; after it every token is the end, so that a parser needs no checks of its own to
// terminate.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

enum class TokenKind : std::uint8_t { end, word, number, text, sign };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  SourceLocation where;
  bool first_on_line = false;
  std::string describe() const;
};

class Lexer {
 public:
  /// `comment` opens a comment that runs to the end of the line. Words are made of letters, digits and "_.$",
  /// and may begin with one of "%#@^!".
  Lexer(std::string_view text, std::string file, std::string_view comment);

  const Token& peek() const { return token_; }
  Token next();
  bool at_end() const { return token_.kind == TokenKind::end; }
  bool is(std::string_view text) const { return token_.kind != TokenKind::text && token_.text == text; }
  /// Takes the token if it is this.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// A word; `what` names it in the message.
  std::string word(std::string_view what);
  /// A whole number in [low, high].
  Int number(std::string_view what, Int low, Int high);
  /// Everything up to `stop` on the same line, blanks left out, without taking it.
  std::string raw_until(char stop);

  void fail(const SourceLocation& where, std::string message);
  void fail_here(std::string_view expected) { fail_at(token_, expected); }
  void fail_at(const Token& token, std::string_view expected);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

 private:
  void advance();
  SourceLocation here() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

  std::string_view source_;
  std::string file_;
  std::string_view comment_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  Token token_;
  std::optional<Error> error_;
};

/// A name that nothing in the list has yet.
template <typename Named>
std::string fresh_name(Lexer& lexer, const std::vector<Named>& list, std::string_view what) {
  const Token token = lexer.peek();
  auto name = lexer.word(what);
  for (const Named& item : list)
    if (item.name == name) lexer.fail_at(token, "a name that is not taken yet");
  return name;
}

}  // namespace nestor::io
