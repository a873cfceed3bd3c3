// Words and numbers of the texts of lowered kernels, for the readers of listings and streams.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/exact.h"

namespace nestor::check::cnm {

using Words = std::vector<std::string_view>;

[[noreturn]] inline void refuse_text(const std::string& why) {
  throw Unreadable("the text of its kernel is invalid: " + why);
}

/// Returns the words of each line that has any, without comments. `gaps` are the characters between words.
inline std::vector<Words> lines_of(std::string_view text, std::string_view gaps) {
  std::vector<Words> lines;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find(';'));
    Words words;
    for (auto begin = line.find_first_not_of(gaps); begin != std::string_view::npos;
         begin = line.find_first_not_of(gaps)) {
      line.remove_prefix(begin);
      words.push_back(line.substr(0, line.find_first_of(gaps)));
      line.remove_prefix(words.back().size());
    }
    if (!words.empty()) lines.push_back(std::move(words));
  }
  return lines;
}

/// Reads an integer from 0 to 2^50.
inline Int number_of(std::string_view word) {
  constexpr Int largest = Int{1} << 50;
  const bool is_number =
      !word.empty() && word.size() <= 16 && word.find_first_not_of("0123456789") == std::string_view::npos;
  const Int value = is_number ? std::stoll(std::string(word)) : -1;
  if (!is_number || value > largest) refuse_text("expected a number, found " + harmless(std::string(word)));
  return value;
}

}  // namespace nestor::check::cnm
