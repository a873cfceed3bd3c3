// Lexer of the text languages of the cnm space (MLIR, llvcnm, CNM IR): words, numbers and signs, with their
// positions. The first error is kept. After it, every token has the kind `end`, so that parsers terminate
// without extra checks.
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
  /// The text `comment` starts a comment that extends to the end of the line. Words consist of letters,
  /// digits and "_.$", do not begin with a digit, and may begin with one of "%#@^!".
  Lexer(std::string_view text, std::string file, std::string_view comment);

  const Token& peek() const { return token_; }
  Token next();
  bool at_end() const { return token_.kind == TokenKind::end; }
  bool is(std::string_view text) const { return token_.kind != TokenKind::text && token_.text == text; }
  /// If the next token is `text`, consumes it and returns true.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// Consumes and returns a word; `what` names it in error messages.
  std::string word(std::string_view what);
  /// Consumes and returns an integer in [low, high].
  Int number(std::string_view what, Int low, Int high);
  /// Consumes the text before `stop` on the same line, and returns it without spaces.
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

/// Consumes a name and returns it. Fails if an item of the list already has the name.
template <typename Named>
std::string fresh_name(Lexer& lexer, const std::vector<Named>& list, std::string_view what) {
  const Token token = lexer.peek();
  auto name = lexer.word(what);
  for (const Named& item : list)
    if (item.name == name) lexer.fail_at(token, "a name that is not used yet");
  return name;
}

}  // namespace nestor::io
