// Jinja templates as far as files of other tools use them for numbers: `{% set NAME = VALUE %}`, where a
// value is a number, a text in quotes or a name, with `| default(VALUE)` behind it, and `{{ VALUE }}`.
// Control flow, macros and calls are refused. Lines stay where they are, so places in messages hold.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "io/document_builder.h"

namespace nestor::io::detail {
namespace {

constexpr std::size_t longest_value = 256;

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

class Template {
 public:
  Template(std::string_view text, std::size_t most_bytes) : text_(text), most_bytes_(most_bytes) {}

  std::string expand() {
    for (;;) {
      const auto open = next_tag();
      append(text_.substr(at_, open - at_));
      if (open == text_.size()) return std::move(result_);
      const char kind = text_[open + 1];
      const std::string_view closing = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
      const auto close = text_.find(closing, open + 2);
      if (close == std::string_view::npos) fail(open, fmt::format("'{{{}' without '{}'", kind, closing));
      tag_ = open;
      read_tag(kind, text_.substr(open + 2, close - open - 2));
      at_ = close + 2;
    }
  }

 private:
  [[noreturn]] void fail(std::size_t at, std::string message) const {
    throw DocumentError{position_at(text_, at), std::move(message)};
  }
  [[noreturn]] void refuse(std::string_view content) const {
    fail(tag_,
         fmt::format("Jinja expression {} is not accepted, expected {{% set NAME = VALUE %}} and {{{{ NAME "
                     "}}}}: expand the template first",
                     quote(content)));
  }

  std::size_t next_tag() const {
    for (auto at = text_.find('{', at_); at < text_.size() - 1; at = text_.find('{', at + 1))
      if (const char next = text_[at + 1]; next == '{' || next == '%' || next == '#') return at;
    return text_.size();
  }

  void append(std::string_view text) {
    if (text.size() > most_bytes_ - std::min(most_bytes_, result_.size()))
      fail(at_, fmt::format("the expanded template is larger than {} bytes", most_bytes_));
    result_ += text;
  }

  void read_tag(char kind, std::string_view content) {
    if (kind == '#')
      return append(
          std::string(static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n')), '\n'));
    content_ = rest_ = content;
    if (content.find('\n') != std::string_view::npos) refuse(content);
    if (rest_.starts_with('-')) rest_.remove_prefix(1);
    if (rest_.ends_with('-')) rest_.remove_suffix(1);
    if (kind == '{') {
      const auto value = read_value();
      expect_end();
      return append(value);
    }
    if (word() != "set") refuse(content);
    const std::string name(word());
    if (name.empty() || !take('=')) refuse(content);
    auto value = read_value();
    expect_end();
    values_[name] = std::move(value);
  }

  // A value with its default.
  std::string read_value() {
    const auto found = read_operand();
    std::optional<std::string> otherwise;
    if (take('|')) {
      if (word() != "default" || !take('(')) refuse(content_);
      otherwise = read_operand();
      if (!take(')')) refuse(content_);
    }
    const auto& value = found ? found : otherwise;
    if (!value) expect_end();
    if (!value) fail(tag_, fmt::format("nothing is set for the name in {}", quote(content_)));
    return *value;
  }

  // Nothing for a name that is not set.
  std::optional<std::string> read_operand() {
    skip_spaces();
    if (!rest_.empty() && (rest_[0] == '"' || rest_[0] == '\'')) {
      const auto end = rest_.find(rest_[0], 1);
      if (end == std::string_view::npos) refuse(content_);
      return cut(rest_.substr(1, end - 1), end + 1);
    }
    std::size_t size = 0;
    while (size < rest_.size() && (is_word(rest_[size]) || rest_[size] == '.' || rest_[size] == '-')) ++size;
    if (size == 0) refuse(content_);
    const auto text = rest_.substr(0, size);
    auto value = cut(text, size);
    if (std::isdigit(static_cast<unsigned char>(value[0])) != 0 || value[0] == '-' || value[0] == '.')
      return value;
    if (!std::all_of(value.begin(), value.end(), is_word)) refuse(content_);
    const auto found = values_.find(value);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  std::string cut(std::string_view text, std::size_t used) {
    if (text.size() > longest_value) fail(tag_, fmt::format("a value longer than {} bytes", longest_value));
    std::string value(text);
    rest_.remove_prefix(used);
    return value;
  }
  void skip_spaces() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r'))
      rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    skip_spaces();
    std::size_t size = 0;
    while (size < rest_.size() && is_word(rest_[size])) ++size;
    const auto text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  void expect_end() {
    skip_spaces();
    if (!rest_.empty()) refuse(content_);
  }

  std::string_view text_;
  std::size_t most_bytes_;
  std::size_t at_ = 0;        // what comes before is expanded
  std::size_t tag_ = 0;       // where the current tag begins
  std::string_view content_;  // of that tag
  std::string_view rest_;     // of the content, not yet read
  std::map<std::string, std::string, std::less<>> values_;
  std::string result_;
};

}  // namespace

bool is_template(std::string_view text) {
  return text.find("{%") != std::string_view::npos || text.find("{{") != std::string_view::npos;
}

std::string expand_template(std::string_view text, std::size_t most_bytes) {
  return Template(text, most_bytes).expand();
}

}  // namespace nestor::io::detail
