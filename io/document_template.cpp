// Expansion of Jinja templates, limited to the constructs that files of other tools use for numbers:
//
//   {% set NAME = VALUE %}
//   {{ VALUE }}
//   {% for NAME in range(VALUE) %}    or over a list of values
//   {{ include_text('FILE') }}        for a YAML file that is not a template
//
// A value is a number, a quoted text, a name or an arithmetic expression, optionally with `| default(VALUE)`.
// Conditions, macros and other calls are rejected. Positions in messages refer to the template. A position in
// an included file, or in the second or a later pass of a loop, is reported as that of its tag (the tag with
// `include_text` or `for`).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parse_number.h"
#include "io/arithmetic.h"
#include "io/document_builder.h"
#include "io/files.h"
#include "io/memory_files.h"

namespace nestor::io::detail {
namespace {

constexpr std::size_t longest_value = 256;
constexpr std::size_t most_includes = 16;
constexpr std::size_t most_passes = 1024;  // sum over all loops

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

class Template {
 public:
  Template(std::string_view text, const std::string& file, std::size_t most_bytes)
      : text_(text), file_(file), most_bytes_(most_bytes) {}

  Expanded expand() {
    expand_to(text_.size());
    return std::move(result_);
  }

 private:
  struct Tag {
    std::size_t open;  // offset of the tag's first character; `end` is the offset after its last character
    std::size_t end;
    char kind;
    std::string_view content;
  };

  void expand_to(std::size_t end) {
    for (;;) {
      const auto tag = next_tag(at_);
      const auto open = tag ? std::min(tag->open, end) : end;
      append(text_.substr(at_, open - at_));
      at_ = open;
      if (open == end) return;
      tag_ = open;
      at_ = tag->end;
      read_tag(tag->kind, tag->content);
    }
  }

  [[noreturn]] void fail(std::size_t at, std::string message) const {
    throw DocumentError{position_at(text_, at), std::move(message)};
  }
  [[noreturn]] void refuse(std::string_view content) const {
    fail(tag_,
         fmt::format("Jinja expression {} is not accepted, expected {{% set NAME = VALUE %}} and {{{{ NAME "
                     "}}}}: expand the template first",
                     quote(content)));
  }

  std::optional<Tag> next_tag(std::size_t from) const {
    for (auto at = text_.find('{', from); at < text_.size() - 1; at = text_.find('{', at + 1)) {
      const char kind = text_[at + 1];
      if (kind != '{' && kind != '%' && kind != '#') continue;
      const std::string_view closing = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
      const auto close = text_.find(closing, at + 2);
      if (close == std::string_view::npos) fail(at, fmt::format("'{{{}' without '{}'", kind, closing));
      return Tag{at, close + 2, kind, text_.substr(at + 2, close - at - 2)};
    }
    return std::nullopt;
  }

  void append(std::string_view text) {
    if (text.size() > most_bytes_ - std::min(most_bytes_, result_.text.size()))
      fail(at_, fmt::format("the expanded template is larger than {} bytes", most_bytes_));
    result_.text += text;
  }

  void read_tag(char kind, std::string_view content) {
    if (kind == '#')
      return append(
          std::string(static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n')), '\n'));
    if (content.find('\n') != std::string_view::npos) refuse(content);
    enter(content);
    if (kind == '{') {
      if (const auto path = included_path()) return in_loop_ ? refuse(content) : include(*path);
      const auto value = read_value();
      expect_end();
      return append(value);
    }
    const auto command = word();
    if (in_loop_) refuse(content);
    if (command == "for") return repeat();
    if (command != "set") refuse(content);
    const std::string name(word());
    if (name.empty() || !take('=')) refuse(content);
    auto value = read_value();
    expect_end();
    values_[name] = std::move(value);
  }
  void enter(std::string_view content) {
    content_ = rest_ = content;
    if (rest_.starts_with('-')) rest_.remove_prefix(1);
    if (rest_.ends_with('-')) rest_.remove_suffix(1);
  }

  // Expands `for NAME in range(VALUE)` or `for NAME in [VALUE, VALUE]`: repeats the text up to its endfor for
  // each value. Other statements in a loop (`set`, `for` and included files) are rejected.
  void repeat() {
    const std::string name(word());
    if (name.empty() || word() != "in") refuse(content_);
    const auto values = take('[') ? listed_values() : range_values();
    expect_end();
    const auto begin = at_;
    const auto end = loop_end();
    const auto outer = values_;
    const auto tag = tag_;
    std::size_t after_first = 0;
    in_loop_ = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (++passes_ > most_passes) fail(tag, fmt::format("more than {} passes of loops", most_passes));
      values_[name] = values[i];
      at_ = begin;
      expand_to(end.open);
      if (i == 0) after_first = result_.text.size();
    }
    in_loop_ = false;
    values_ = outer;
    at_ = end.end;
    if (values.empty()) return append(std::string(lines_of(text_.substr(begin, end.open - begin)), '\n'));
    record_addition(after_first, tag);
  }
  std::vector<std::string> listed_values() {
    std::vector<std::string> values;
    do {
      values.push_back(read_value());
    } while (take(','));
    if (!take(']')) refuse(content_);
    return values;
  }
  std::vector<std::string> range_values() {
    if (word() != "range" || !take('(')) refuse(content_);
    const auto count = parse_number<std::size_t>(read_value());
    if (!take(')') || !count) refuse(content_);
    if (*count > most_passes) fail(tag_, fmt::format("more than {} passes of loops", most_passes));
    std::vector<std::string> values;
    for (std::size_t i = 0; i < *count; ++i) values.push_back(std::to_string(i));
    return values;
  }
  // Returns the endfor of the loop whose content begins at `at_`.
  Tag loop_end() {
    for (auto at = at_;;) {
      const auto tag = next_tag(at);
      if (!tag) fail(tag_, "'for' without 'endfor'");
      at = tag->end;
      if (tag->kind != '%') continue;
      enter(tag->content);
      if (word() == "endfor") return *tag;
    }
  }
  static std::size_t lines_of(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  // Records that the expanded text from `begin` on is an addition of the tag.
  void record_addition(std::size_t begin, std::size_t tag) {
    const auto& text = result_.text;
    result_.added.push_back(
        {position_at(text, begin), position_at(text, text.size()), position_at(text_, tag)});
  }

  // Reads a value with an optional default.
  std::string read_value() {
    const auto found = read_operand();
    std::optional<std::string> otherwise;
    if (take('|')) {
      if (word() != "default" || !take('(')) refuse(content_);
      otherwise = read_operand();
      if (!take(')')) refuse(content_);
    }
    const auto& value = found ? found : otherwise;
    if (!value && rest_.find_first_of("),]") != 0) expect_end();
    if (!value)
      fail(tag_, fmt::format("nothing is set for the name in {}: put {{% set NAME = VALUE %}} before it",
                             quote(content_)));
    return *value;
  }

  // Reads `include_text('FILE')` and returns FILE; returns nothing if the content is anything else.
  std::optional<std::string> included_path() {
    const auto before = rest_;
    if (word() != "include_text" || !take('(')) {
      rest_ = before;
      return std::nullopt;
    }
    skip_spaces();
    if (!rest_.starts_with('"') && !rest_.starts_with('\'')) refuse(content_);
    auto path = read_operand();
    if (!take(')')) refuse(content_);
    expect_end();
    return path;
  }

  // Inserts a file, whose path is relative to the folder of the template. A template in memory can include
  // only files in memory, and a template on disk only files on disk. Only YAML files are opened, since the
  // template is not trusted.
  void include(const std::string& path) {
    const auto target = (std::filesystem::path(file_).parent_path() / path).lexically_normal();
    const auto extension = target.extension();
    if (std::filesystem::path(path).is_absolute() || (extension != ".yaml" && extension != ".yml"))
      fail(tag_, fmt::format("{} is included, expected the path of a YAML file relative to this file",
                             quote(path)));
    const bool in_memory = find_memory_file(file_) != nullptr;
    if (!is_stored_file(file_) || !is_stored_file(target) ||
        in_memory != (find_memory_file(target) != nullptr))
      fail(tag_, fmt::format("{} is included, but there is no such file", quote(target.string())));
    if (++includes_ > most_includes)
      fail(tag_, fmt::format("more than {} files are included", most_includes));
    const auto text = read_file(target, most_bytes_);
    if (!text) fail(tag_, text.error().message);
    try {
      refuse_bad_bytes(*text);
    } catch (const DocumentError& error) {
      fail(tag_, fmt::format("{} is included: {}", quote(target.string()), error.message));
    }
    if (is_template(*text))
      fail(tag_,
           fmt::format("{} is included and is a template itself: expand it first", quote(target.string())));
    const auto begin = result_.text.size();
    append(*text);
    record_addition(begin, tag_);
  }

  // Reads an operand; returns nothing for a name that is not set.
  std::optional<std::string> read_operand() {
    skip_spaces();
    if (!rest_.empty() && (rest_[0] == '"' || rest_[0] == '\'')) {
      const auto end = rest_.find(rest_[0], 1);
      if (end == std::string_view::npos) refuse(content_);
      return cut(rest_.substr(1, end - 1), end + 1);
    }
    const auto text = rest_.substr(0, arithmetic_size());
    auto value = cut(text, text.size());
    while (value.ends_with(' ')) value.pop_back();
    if (value.empty()) refuse(content_);
    if (parse_number<double>(value)) return value;
    if (!std::all_of(value.begin(), value.end(), is_word)) return computed(value);
    const auto found = values_.find(value);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  // Returns the length of the arithmetic expression at the start of `rest_`. It ends at a comma outside
  // parentheses, at an unmatched closing parenthesis, or at a character that is not part of arithmetic, such
  // as the '|' of a filter.
  std::size_t arithmetic_size() const {
    std::size_t size = 0;
    for (int open = 0; size < rest_.size(); ++size) {
      const char c = rest_[size];
      if (c == '(') ++open;
      if (c == ')' && --open < 0) break;
      if (c == ',' && open == 0) break;
      if (!is_word(c) && std::string_view(" .,+-*/()").find(c) == std::string_view::npos) break;
    }
    return size;
  }

  // Evaluates an expression such as "7*1024" or "2 * N". Returns nothing if it uses a name that is not set.
  std::optional<std::string> computed(const std::string& expression) const {
    std::vector<NamedValue> names;
    bool all_set = true;
    for (auto at = expression.begin(); at != expression.end();) {
      const auto end = std::find_if_not(at, expression.end(), is_word);
      const std::string_view name(at, end);
      at = end == expression.end() ? end : end + 1;
      if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) continue;
      if (const auto found = values_.find(name); found == values_.end()) {
        all_set = all_set && (name == "max" || name == "min" || name == "inf");
        names.emplace_back(name, 1);
      } else if (const auto number = evaluate(found->second)) {
        names.emplace_back(name, *number);
      }
    }
    const auto value = evaluate(expression, names);
    if (!value || !std::isfinite(*value)) refuse(content_);
    return all_set ? std::optional(fmt::format("{}", *value)) : std::nullopt;
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
  const std::string& file_;
  std::size_t most_bytes_;
  std::size_t at_ = 0;        // end of the expanded part of the template
  std::size_t tag_ = 0;       // start of the current tag
  std::string_view content_;  // content of the current tag
  std::string_view rest_;     // unread part of the content
  std::map<std::string, std::string, std::less<>> values_;
  bool in_loop_ = false;
  std::size_t passes_ = 0, includes_ = 0;
  Expanded result_;
};

}  // namespace

Position Expanded::origin(Position where) const {
  const auto precedes = [&](Position other) {
    return where.line < other.line || (where.line == other.line && where.column < other.column);
  };
  std::uint32_t before = 0;
  for (const auto& addition : added) {
    if (precedes(addition.begin)) break;
    if (precedes(addition.end)) return addition.tag;
    before += addition.end.line - addition.begin.line;
  }
  where.line -= before;
  return where;
}

bool is_template(std::string_view text) {
  return text.find("{%") != std::string_view::npos || text.find("{{") != std::string_view::npos;
}

Expanded expand_template(std::string_view text, const std::string& file, std::size_t most_bytes) {
  return Template(text, file, most_bytes).expand();
}

}  // namespace nestor::io::detail
