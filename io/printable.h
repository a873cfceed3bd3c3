// Conversion of external text (files, names in them, the command line) for safe output on a terminal.
// Characters that could move the cursor, change colours or reverse the order of letters become escapes.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

/// Returns `text` with harmful characters as escapes such as \x1b or \u{202e}: control characters (except tab
/// and newline, but including those of Latin-1), bidirectional controls, line and paragraph separators, and
/// bytes that are not UTF-8.
std::string printable(std::string_view text);

/// Returns JSON text with harmful characters as JSON escapes. They can only occur in strings, so the document
/// remains the same.
std::string printable_json(std::string_view text);

/// Returns the length in bytes of the UTF-8 sequence that starts at `i`, or 0 if it is invalid. Overlong
/// forms, surrogates and code points beyond U+10FFFF are invalid.
std::size_t utf8_length(std::string_view text, std::size_t i);

}  // namespace nestor::io
