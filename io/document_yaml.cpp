// Conversion of YAML text to tree events with yaml-cpp's event interface. No YAML::Node is ever built, so
// nothing is expanded or copied before the limits are checked.
#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_map>

#include "io/document_builder.h"

namespace nestor::io::detail {
namespace {

// Lets an istream read a string_view without a copy.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // only read: there is a get area but no put area
    setg(begin, begin, begin + text.size());
  }
};

// Conversion of yaml-cpp's columns, which count bytes, to columns in characters. Marks mostly increase, so
// counting continues from the previous mark on the line. Thus a long line takes linear time.
class Lines {
 public:
  Lines(std::string_view text, const Expanded& expanded) : text_(text), expanded_(expanded) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }

  /// Returns the position in the file.
  Position position(const YAML::Mark& mark) { return expanded_.origin(position_in_text(mark)); }

  /// True if the quoted scalar at the last position is closed, or if the scalar is not quoted. (yaml-cpp
  /// accepts a quote that is still open at the end of the file.)
  bool quote_is_closed() const {
    const char mark = offset_ < text_.size() ? text_[offset_] : '|';
    if (mark != '"' && mark != '\'') return true;  // a block scalar
    std::size_t i = offset_ + 1;
    for (; i < text_.size() && text_[i] != mark; ++i)
      if (mark == '"' && text_[i] == '\\') ++i;
    return i < text_.size();
  }

 private:
  Position position_in_text(const YAML::Mark& mark) {
    if (mark.line < 0 || static_cast<std::size_t>(mark.line) >= starts_.size()) return {};
    const auto start = starts_[static_cast<std::size_t>(mark.line)];
    const auto line = static_cast<std::uint32_t>(mark.line) + 1;
    const auto end = std::min(text_.size(), start + static_cast<std::size_t>(std::max(0, mark.column)));
    if (line != last_.line || end < offset_) {
      last_ = {line, 1};
      offset_ = start;
    }
    for (; offset_ < end; ++offset_)
      if ((static_cast<unsigned char>(text_[offset_]) & 0xC0U) != 0x80U) ++last_.column;
    return last_;
  }

  std::string_view text_;
  const Expanded& expanded_;
  std::vector<std::size_t> starts_;
  Position last_;
  std::size_t offset_ = 0;
};

class YamlEvents : public YAML::EventHandler {
 public:
  YamlEvents(Lines& lines, TreeBuilder& builder) : lines_(lines), builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      throw DocumentError{lines_.position(mark), "a second document starts here, expected only one per file"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.nothing(checked(mark, "", anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) refuse_anchor(mark);
    builder_.copy(lines_.position(mark), found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const auto where = checked(mark, tag, anchor);
    const bool is_quoted = tag == "!";
    if (is_quoted && !lines_.quote_is_closed())
      throw DocumentError{where, "not valid YAML: this quote is never closed"};
    if (!is_quoted && (value == "~" || value == "null"))
      builder_.nothing(where);
    else
      builder_.scalar(where, value, is_quoted);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    builder_.start(checked(mark, tag, anchor), NodeKind::list);
  }
  void OnSequenceEnd() override { builder_.end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    const bool is_own = builder_.is_foreign() && tag.size() > 1 && tag.front() == '!';
    const auto where = checked(mark, is_own ? "" : tag, anchor);
    builder_.start(where, NodeKind::map);
    if (is_own) builder_.tag(where, tag);
  }
  void OnMapEnd() override { builder_.end(); }

 private:
  // Aliases can expand a small file to a huge tree, and none of Nestor's own formats needs aliases.
  [[noreturn]] void refuse_anchor(const YAML::Mark& mark) {
    throw DocumentError{lines_.position(mark), "anchors and aliases are not accepted"};
  }
  Position checked(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0 && !builder_.is_foreign()) refuse_anchor(mark);
    const auto where = lines_.position(mark);
    if (anchor != 0) anchored_[anchor] = builder_.next();
    if (!tag.empty() && tag != "?" && tag != "!")
      throw DocumentError{where, fmt::format("tag {} is not accepted", quote(tag))};
    return where;
  }

  Lines& lines_;
  TreeBuilder& builder_;
  std::unordered_map<YAML::anchor_t, std::uint32_t> anchored_;  // node of each anchor
  int documents_ = 0;
};

void parse_events(std::string_view text, const Expanded& expanded, TreeBuilder& builder) {
  Lines lines(text, expanded);
  ViewBuffer buffer(text);
  std::istream in(&buffer);
  try {
    YAML::Parser parser(in);
    YamlEvents events(lines, builder);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const YAML::DeepRecursion& error) {
    throw DocumentError{lines.position(error.mark), "nested too deeply"};
  } catch (const YAML::Exception& error) {
    throw DocumentError{lines.position(error.mark), fmt::format("not valid YAML: {}", error.msg)};
  }
}

}  // namespace

void parse_yaml_events(std::string_view text, TreeBuilder& builder) { parse_events(text, {}, builder); }
void parse_yaml_events(const Expanded& expanded, TreeBuilder& builder) {
  parse_events(expanded.text, expanded, builder);
}

}  // namespace nestor::io::detail
