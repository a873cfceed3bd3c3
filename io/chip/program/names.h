// Names in the text of a program: bare where they read as one word, else in quotes (private to the room).
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

inline bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}
inline bool continues_word(char c) { return begins_word(c) || (c >= '0' && c <= '9'); }

/// Length of the word at the start of `text`: letters, digits, '_' and '/', dots and hyphens between them.
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

/// Whether a loop may call its variable so.
inline bool is_loop_variable(std::string_view word) {
  return !word.empty() && word_length(word, false) == word.size() && word != "div" && word != "mod" &&
         word != "min" && word != "max" && word != "step";
}

/// The name as the text of a program has it.
std::string written_name(std::string_view name);

}  // namespace nestor::io
