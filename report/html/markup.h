// Elements of HTML and SVG as text. All text from results passes through escaped(), and nothing else from a
// result reaches the report, so that hostile names remain text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace nestor::report::html {

/// Returns text that is safe in an element or in a quoted attribute. Markup, control characters and invalid
/// UTF-8 are escaped.
std::string escaped(std::string_view text);

/// Returns `text` cut to at most `most` characters. The last character of a cut text is an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

struct Attribute {
  std::string_view name;
  std::string value;  ///< plain text; it is escaped here
};

/// Returns <tag name="value">content</tag>. `content` is markup.
std::string element(std::string_view tag, std::initializer_list<Attribute> attributes,
                    std::string_view content);
/// Returns an element whose content is the escaped text.
std::string text_element(std::string_view tag, std::initializer_list<Attribute> attributes,
                         std::string_view text);

}  // namespace nestor::report::html
