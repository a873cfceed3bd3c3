// Elements of HTML and SVG as text. All text from results goes through escaped(); nothing else of a result
// reaches the page, so that hostile names stay text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace nestor::report::html {

/// Text fit for an element or an attribute in quotes: markup, control characters and what is not UTF-8
/// escaped.
std::string escaped(std::string_view text);

/// `text` cut to at most `most` characters, the last one an ellipsis if it was cut.
std::string shortened(std::string_view text, std::size_t most);

struct Attribute {
  std::string_view name;
  std::string value;  ///< as text: escaped here
};

/// <tag name="value">content</tag>; `content` is markup.
std::string element(std::string_view tag, std::initializer_list<Attribute> attributes,
                    std::string_view content);
/// The same with text as its content.
std::string text_element(std::string_view tag, std::initializer_list<Attribute> attributes,
                         std::string_view text);

}  // namespace nestor::report::html
