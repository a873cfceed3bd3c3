// Lexer of structural Verilog. Its tokens are identifiers (also escaped ones), sized and plain numbers, and
// punctuation. Comments, attributes `(* ... *)` and compiler directives are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/netlist/network_builder.h"

namespace nestor::io {

struct VerilogToken {
  enum class Kind : std::uint8_t { end, identifier, escaped_identifier, number, punctuation };
  Kind kind = Kind::end;
  TextPosition where;
  std::string_view text;  ///< without the backslash of an escaped identifier

  bool is(std::string_view punctuation) const { return kind == Kind::punctuation && text == punctuation; }
  bool is_keyword(std::string_view word) const { return kind == Kind::identifier && text == word; }
  bool is_name() const { return kind == Kind::identifier || kind == Kind::escaped_identifier; }
  /// Returns the token for messages: 'word', or "end of file".
  std::string quoted() const;
};

class VerilogLexer {
 public:
  VerilogLexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  const VerilogToken& peek() const { return current_; }
  /// Moves to the next token. Fails on bytes that belong to no token and on unterminated comments.
  MaybeError advance();

 private:
  MaybeError skip_blanks();
  MaybeError skip_until(std::string_view terminator, std::string_view what);
  MaybeError scan();
  void take_while(bool (*belongs)(char));
  TextPosition here() const;
  Error error_here(std::string message) const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  VerilogToken current_;
};

inline constexpr std::uint32_t verilog_width_limit = 1U << 16U;

/// Returns the bits of a sized constant, or of a plain 0 or 1, least significant first. Returns nothing if
/// the text is not a number of 0s and 1s with a width up to the limit.
std::optional<std::vector<bool>> parse_verilog_number(std::string_view text);

}  // namespace nestor::io
