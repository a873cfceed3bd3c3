// The project's only error type: what went wrong, its position in a file, and the kind of failure, which
// determines the exit status. Result<T> contains either a value or an Error. Functions that can fail return a
// Result or a MaybeError; they do not throw.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace nestor::io {

/// Values are the tool's exit statuses (README.md, "Verbs").
enum class ErrorKind {
  limit = 1,       ///< a limit or a signal ended the run; results written before are valid
  usage = 2,       ///< the command line is wrong
  input = 3,       ///< an input file is wrong
  infeasible = 4,  ///< it is proved that nothing meets the request
  internal = 5,    ///< a fault of the program
  output = 6       ///< an output cannot be written
};

/// A position in an input. Lines and columns start at 1; 0 means the file as a whole.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  SourceLocation where;
  std::string message;

  /// Returns "file:line:column: message" without the unknown parts, and with long words shortened.
  std::string to_string() const;
};

Error input_error(SourceLocation where, std::string message);
Error usage_error(std::string message);
Error limit_error(std::string message);
Error infeasible_error(std::string message);
Error internal_error(std::string message);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

/// Result of an operation without a value: empty on success.
using MaybeError = std::optional<Error>;

/// Returns the candidate with the fewest edits to `word`, or an empty view if none is close enough to
/// suggest.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

/// Returns " (did you mean 'x'?)", or an empty text if no candidate is close to `word`.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace nestor::io
