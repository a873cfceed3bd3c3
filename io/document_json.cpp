// Conversion of JSON text to tree events. nlohmann's parser reports no positions, but it reads one character
// at a time. An iterator that counts these characters determines the start of each token.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/document_builder.h"

namespace nestor::io::detail {
namespace {

// The parser's position in the text, and the start of the current token.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return offset_ == text_.size(); }
  char current() const { return text_[offset_]; }
  void advance() {
    const char c = text_[offset_];
    if (awaits_token_ && std::string_view(" \t\r\n,:]}").find(c) == std::string_view::npos) {
      token_ = here_;
      awaits_token_ = false;
    }
    ++offset_;
    last_ = here_;
    if (c == '\n')
      here_ = {here_.line + 1, 1};
    else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U)
      ++here_.column;
  }
  Position here() const { return here_; }
  /// Returns the position of the last character that was read.
  Position last() const { return last_; }
  /// Returns the start of the token that was just reported.
  Position take_token() {
    awaits_token_ = true;
    return token_;
  }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  Position here_;
  Position last_;
  Position token_;
  bool awaits_token_ = true;
};

// Input iterator of the parser. All copies share one cursor; an iterator without a cursor is the end.
class PullIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = char;
  using iterator_category = std::input_iterator_tag;

  explicit PullIterator(Cursor* cursor) : cursor_(cursor) {}
  char operator*() const { return cursor_->current(); }
  PullIterator& operator++() {
    cursor_->advance();
    return *this;
  }
  PullIterator operator++(int) {
    ++*this;
    return *this;
  }
  friend bool operator==(const PullIterator& a, const PullIterator& b) { return a.ended() == b.ended(); }
  friend bool operator!=(const PullIterator& a, const PullIterator& b) { return !(a == b); }

 private:
  bool ended() const { return cursor_ == nullptr || cursor_->at_end(); }
  Cursor* cursor_;
};

// Passes the events of the parser to a TreeBuilder. Numbers are stored as text; checked_reader.h decides
// which values are valid.
class JsonEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonEvents(Cursor& cursor, TreeBuilder& builder) : cursor_(cursor), builder_(builder) {}

  bool null() override {
    builder_.nothing(cursor_.take_token());
    return true;
  }
  bool boolean(bool value) override { return plain(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return plain(fmt::format("{}", value)); }
  bool number_unsigned(number_unsigned_t value) override { return plain(fmt::format("{}", value)); }
  bool number_float(number_float_t, const string_t& text) override { return plain(text); }
  bool string(string_t& text) override {
    builder_.scalar(cursor_.take_token(), text, true);
    return true;
  }
  bool binary(binary_t&) override { return false; }  // does not occur in JSON text
  bool key(string_t& text) override { return string(text); }
  bool start_object(std::size_t) override { return open(NodeKind::map); }
  bool start_array(std::size_t) override { return open(NodeKind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // The message has the form "[json.exception...] parse error at line 1, column 8: syntax error while
    // parsing value - what".
    std::string_view what = error.what();
    if (const auto dash = what.find(" - "); dash != std::string_view::npos) what.remove_prefix(dash + 3);
    if (const auto id = what.find("] "); what.starts_with('[') && id != std::string_view::npos)
      what.remove_prefix(id + 2);
    what = what.substr(0, what.find("; last read"));  // redundant, because the position is reported
    const bool at_end = what.find("end of input") != std::string_view::npos;
    const auto where = at_end ? cursor_.here() : cursor_.last();
    throw JsonSyntaxError{where, fmt::format("not valid JSON: {}", what)};
  }

 private:
  bool plain(std::string_view text) {
    builder_.scalar(cursor_.take_token(), text, false);
    return true;
  }
  bool open(NodeKind kind) {
    builder_.start(cursor_.take_token(), kind);
    return true;
  }
  bool close() {
    cursor_.take_token();
    builder_.end();
    return true;
  }

  Cursor& cursor_;
  TreeBuilder& builder_;
};

}  // namespace

void parse_json_events(std::string_view text, TreeBuilder& builder) {
  Cursor cursor(text);
  JsonEvents events(cursor, builder);
  nlohmann::json::sax_parse(PullIterator(&cursor), PullIterator(nullptr), &events);
}

}  // namespace nestor::io::detail
