// Scanner of program text: words, names, numbers and punctuation. The first error is kept with its position;
// after it, all calls fail. Private to io/chip/program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

class Scanner {
 public:
  Scanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  bool at_end();
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  /// Records an error at the current position; `fail_at_last` records it at the start of the last token.
  void fail(std::string message);
  void fail_at_last(std::string message);
  void expected(std::string_view what);

  /// If `mark` is next, consumes it and returns true.
  bool take(std::string_view mark);
  void require(std::string_view mark);
  /// Returns the next word, or an empty view; `peek_word` does not consume it.
  std::string_view peek_word();
  std::string_view take_word();
  bool take_word(std::string_view word);
  void require_word(std::string_view word);
  std::string name(std::string_view what);
  Int integer(std::string_view what, Int least);
  std::optional<Int> take_number();

 private:
  void skip_blanks();
  Error complaint(std::size_t at, std::string message) const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;
  std::optional<Error> error_;
};

}  // namespace nestor::io
