#include "io/netlist/blif_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/netlist/cover_expression.h"
#include "io/netlist/network_builder.h"

namespace nestor::io {
namespace {

struct BlifWord {
  std::string_view text;
  TextPosition where;
};

// Splits a file into logical lines. A `\` at the end of a line continues it on the next line; `#` starts a
// comment.
class BlifLines {
 public:
  explicit BlifLines(std::string_view text) : text_(text) {}

  /// Returns the words of the next line that is not blank; empty at the end of the file.
  const std::vector<BlifWord>& next();
  TextPosition end() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
  void new_line() {
    line_start_ = ++at_;
    ++line_;
  }
  bool at_continuation() const {
    auto i = at_ + 1;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    return text_[at_] == '\\' && (i == text_.size() || text_[i] == '\n');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::vector<BlifWord> words_;
};

const std::vector<BlifWord>& BlifLines::next() {
  words_.clear();
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      new_line();
      if (!words_.empty()) break;
    } else if (is_blank(c)) {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\\' && at_continuation()) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) new_line();
    } else {
      const auto begin = at_;
      const auto where = end();
      while (at_ < text_.size() && text_[at_] != '\n' && !is_blank(text_[at_]) &&
             (text_[at_] != '\\' || !at_continuation())) {
        ++at_;
      }
      words_.push_back({text_.substr(begin, at_ - begin), where});
    }
  }
  return words_;
}

class BlifReader {
 public:
  BlifReader(std::string_view text, const std::string& file) : lines_(text), builder_(file) {}

  Result<simd::LogicNetwork> read() {
    if (auto failed = read_lines()) return *failed;
    return builder_.build();
  }

 private:
  MaybeError read_lines();
  MaybeError read_directive(const std::vector<BlifWord>& words);
  MaybeError read_ports(const std::vector<BlifWord>& words, bool inputs);
  MaybeError begin_names(const std::vector<BlifWord>& words);
  MaybeError read_cube(const std::vector<BlifWord>& words);
  MaybeError end_names();
  Error error(const BlifWord& word, std::string message) const {
    return builder_.error(word.where, std::move(message));
  }

  BlifLines lines_;
  NetworkBuilder builder_;
  bool in_model_ = false;
  bool ended_ = false;
  bool in_names_ = false;
  SymbolId target_ = 0;
  TextPosition target_where_;
  Cover cover_;
};

MaybeError BlifReader::read_lines() {
  while (true) {
    const auto& words = lines_.next();
    if (words.empty()) break;
    if (words[0].text.front() == '.') {
      if (auto failed = end_names()) return failed;
      if (auto failed = read_directive(words)) return failed;
    } else if (in_names_) {
      if (auto failed = read_cube(words)) return failed;
    } else {
      return error(words[0], fmt::format("found '{}', expected a line that starts with '.'",
                                         words[0].text.substr(0, 40)));
    }
  }
  if (auto failed = end_names()) return failed;
  if (!in_model_) return builder_.error(lines_.end(), "the file ends without '.model'");
  return {};
}

MaybeError BlifReader::read_directive(const std::vector<BlifWord>& words) {
  const auto word = words[0].text;
  if (ended_) {
    if (word == ".model") return error(words[0], "a second model: only one flat model is supported");
    return error(words[0], fmt::format("'{}' after '.end'", word));
  }
  if (word == ".model") {
    if (in_model_) return error(words[0], "a second model: only one flat model is supported");
    in_model_ = true;
    if (words.size() > 2) return error(words[2], "expected one name of the model");
    if (words.size() == 2) builder_.set_model_name(words[1].text);
    return {};
  }
  if (word == ".latch" || word == ".mlatch") {
    return error(words[0], fmt::format("'{}': only combinational networks are supported", word));
  }
  if (word == ".subckt" || word == ".gate" || word == ".search") {
    return error(words[0],
                 fmt::format("'{}': hierarchy and library gates are not supported (flatten first)", word));
  }
  if (!in_model_) return error(words[0], "expected '.model' first");
  if (word == ".inputs") return read_ports(words, true);
  if (word == ".outputs") return read_ports(words, false);
  if (word == ".names") return begin_names(words);
  if (word == ".end") {
    ended_ = true;
    return {};
  }
  static const std::vector<std::string_view> known = {".model", ".inputs", ".outputs", ".names", ".end"};
  return error(words[0], fmt::format("'{}' is not supported{}", word.substr(0, 40), suggestion(word, known)));
}

MaybeError BlifReader::read_ports(const std::vector<BlifWord>& words, bool inputs) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto symbol = builder_.symbol(words[i].text, words[i].where);
    auto failed =
        inputs ? builder_.add_input(symbol, words[i].where) : builder_.add_output(symbol, words[i].where);
    if (failed) return failed;
  }
  return {};
}

MaybeError BlifReader::begin_names(const std::vector<BlifWord>& words) {
  if (words.size() < 2) return error(words[0], "expected the name that '.names' defines");
  in_names_ = true;
  cover_ = {};
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    cover_.inputs.push_back(builder_.symbol(words[i].text, words[i].where));
  }
  target_ = builder_.symbol(words.back().text, words.back().where);
  target_where_ = words.back().where;
  return {};
}

MaybeError BlifReader::read_cube(const std::vector<BlifWord>& words) {
  const std::size_t expected = cover_.inputs.empty() ? 1 : 2;
  if (words.size() != expected) {
    return error(words[0], expected == 1 ? "expected a single 0 or 1 for a constant"
                                         : "expected a cube of 0, 1 and -, and the output's value");
  }
  const auto cube = expected == 1 ? std::string_view() : words[0].text;
  const auto& value = words.back();
  if (cube.size() != cover_.inputs.size()) {
    return error(words[0],
                 fmt::format("a cube has {} characters for {} inputs", cube.size(), cover_.inputs.size()));
  }
  if (const auto wrong = cube.find_first_not_of("01-"); wrong != std::string_view::npos) {
    auto where = words[0].where;
    where.column += static_cast<std::uint32_t>(wrong);
    return builder_.error(where, fmt::format("found '{}' in a cube, expected 0, 1 or -", cube[wrong]));
  }
  if (value.text != "0" && value.text != "1") {
    return error(value,
                 fmt::format("found '{}', expected the output's value 0 or 1", value.text.substr(0, 40)));
  }
  const bool off_set = value.text == "0";
  if (!cover_.cubes.empty() && off_set != cover_.off_set) {
    return error(value, "a cover must be either the on-set (1) or the off-set (0)");
  }
  cover_.off_set = off_set;
  cover_.cubes.push_back(cube);
  return {};
}

MaybeError BlifReader::end_names() {
  if (!in_names_) return {};
  in_names_ = false;
  return builder_.define(target_, expression_of(cover_), target_where_);
}

}  // namespace

Result<simd::LogicNetwork> parse_blif(std::string_view text, const std::string& file) {
  return BlifReader(text, file).read();
}

}  // namespace nestor::io
