// Notes of a translation. A note names a key of another tool's file that has no counterpart here, with its
// path and a reason. Equal notes are kept once, in the order of their first occurrence. At most 200 notes are
// listed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/checked_reader.h"

namespace nestor::io::neighbours {

class Notes {
 public:
  void leave_out(std::string_view path, std::string_view why);
  /// Notes every key of `map` that is not in `known`.
  void leave_out_others(const Node& map, const std::string& path, Words known);
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

/// Returns the value of a required key, and reports an error if the key is missing.
std::optional<Node> require(const Node& map, std::string_view key, std::string_view what, Reading& reading);
/// Reads a list of strings, or a single string.
std::vector<std::string> read_words(const Node& node, std::string_view what, Reading& reading);
/// True if the scalar is a spelling of true.
bool is_true(const std::optional<Node>& node);

}  // namespace nestor::io::neighbours
