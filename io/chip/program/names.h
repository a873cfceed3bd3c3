// Names in the text of a program: unquoted if they form one word, otherwise in quotes. Private to
// io/chip/program.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "model/chip/functions.h"

namespace nestor::io {

inline bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}
inline bool continues_word(char c) { return begins_word(c) || (c >= '0' && c <= '9'); }

/// Returns the length of the word at the start of `text`, or 0 if there is none. A word consists of letters,
/// digits, '_' and '/', with dots (and hyphens if allowed) between them. It does not begin with a digit.
inline std::size_t word_length(std::string_view text, bool with_hyphens) {
  if (text.empty() || !begins_word(text[0])) return 0;
  std::size_t end = 1;
  while (end < text.size()) {
    const bool joint = (text[end] == '.' || (with_hyphens && text[end] == '-')) && end + 1 < text.size() &&
                       continues_word(text[end + 1]);
    if (!joint && !continues_word(text[end])) break;
    ++end;
  }
  return end;
}

inline constexpr std::size_t most_calls = 16;  ///< limit on the number of functions that an operator calls

/// True if there are at most `most_calls` calls, and each can be the name of a function.
inline bool may_be_calls(std::span<const std::string> calls) {
  return calls.size() <= most_calls && std::all_of(calls.begin(), calls.end(), chip::may_be_called);
}

/// True if the name may be the variable of a loop.
inline bool is_loop_variable(std::string_view word) {
  return !word.empty() && word_length(word, false) == word.size() && word != "div" && word != "mod" &&
         word != "min" && word != "max" && word != "step";
}

/// Returns the name as programs contain it: in quotes unless it is one word.
std::string written_name(std::string_view name);

}  // namespace nestor::io
