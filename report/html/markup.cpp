#include "report/html/markup.h"

#include "io/printable.h"

namespace nestor::report::html {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : io::printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++characters) {
    const std::size_t length = io::utf8_length(text, bytes);
    if (characters + 1 == most && bytes + length < text.size())
      return std::string(text.substr(0, bytes)) + "\u2026";
    bytes += length == 0 ? 1 : length;
  }
  return std::string(text);
}

std::string element(std::string_view tag, std::initializer_list<Attribute> attributes,
                    std::string_view content) {
  std::string result = "<" + std::string(tag);
  for (const auto& attribute : attributes)
    if (!attribute.value.empty())
      result += " " + std::string(attribute.name) + "=\"" + escaped(attribute.value) + "\"";
  result += ">";
  result += content;
  return result + "</" + std::string(tag) + ">";
}

std::string text_element(std::string_view tag, std::initializer_list<Attribute> attributes,
                         std::string_view text) {
  return element(tag, attributes, escaped(text));
}

}  // namespace nestor::report::html
