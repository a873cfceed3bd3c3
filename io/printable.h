// The one place where text from outside (files, names in them, the command line) is made fit for a terminal:
// what could move the cursor, change colours or reverse the order of letters is shown as an escape instead.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

/// `text` with control characters (all but tab and newline, those of Latin-1 included), bidirectional
/// controls and bytes that are not UTF-8 shown as \x1b or \u{202e}.
std::string printable(std::string_view text);

/// Likewise, as JSON escapes: for JSON text, where such characters stand in strings only. The document is the
/// same.
std::string printable_json(std::string_view text);

/// Bytes of the UTF-8 sequence that starts at `i`, or 0 if it is not valid (overlong forms, surrogates and
/// code points beyond U+10FFFF included).
std::size_t utf8_length(std::string_view text, std::size_t i);

}  // namespace nestor::io
