#include "io/netlist/verilog_lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"

namespace nestor::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '$'; }
bool is_visible(char c) { return !is_blank(c); }
bool is_number(char c) { return is_word(c) || c == '\'' || c == '?'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

}  // namespace

std::string VerilogToken::quoted() const {
  if (kind == Kind::end) return "end of file";
  constexpr std::size_t longest = 40;
  if (text.size() > longest) return fmt::format("'{}...'", text.substr(0, longest));
  return fmt::format("'{}{}'", kind == Kind::escaped_identifier ? "\\" : "", text);
}

TextPosition VerilogLexer::here() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }

Error VerilogLexer::error_here(std::string message) const {
  const auto where = here();
  return input_error({file_, static_cast<int>(where.line), static_cast<int>(where.column)},
                     std::move(message));
}

MaybeError VerilogLexer::skip_until(std::string_view terminator, std::string_view what) {
  auto unfinished = error_here(fmt::format("{} that never ends (expected '{}')", what, terminator));
  const auto found = text_.find(terminator, at_ + 2);
  if (found == std::string_view::npos) return unfinished;
  for (; at_ < found + terminator.size(); ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  return {};
}

MaybeError VerilogLexer::skip_blanks() {
  while (at_ < text_.size()) {
    const auto rest = text_.substr(at_);
    if (rest.front() == '\n') {
      ++line_;
      line_start_ = ++at_;
    } else if (is_blank(rest.front())) {
      ++at_;
    } else if (rest.substr(0, 2) == "//" || rest.front() == '`') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.substr(0, 2) == "/*") {
      if (auto failed = skip_until("*/", "comment")) return failed;
    } else if (rest.substr(0, 2) == "(*" && rest.substr(0, 3) != "(*)") {
      if (auto failed = skip_until("*)", "attribute")) return failed;
    } else {
      break;
    }
  }
  return {};
}

void VerilogLexer::take_while(bool (*belongs)(char)) {
  const auto begin = at_;
  while (at_ < text_.size() && belongs(text_[at_])) ++at_;
  current_.text = text_.substr(begin, at_ - begin);
}

MaybeError VerilogLexer::scan() {
  const char first = text_[at_];
  if (is_letter(first)) {
    current_.kind = VerilogToken::Kind::identifier;
    take_while(is_word);
    return {};
  }
  if (is_digit(first) || first == '\'') {
    current_.kind = VerilogToken::Kind::number;
    take_while(is_number);
    return {};
  }
  if (first == '\\') {
    current_.kind = VerilogToken::Kind::escaped_identifier;
    ++at_;
    take_while(is_visible);
    if (current_.text.empty()) return error_here("expected a name after '\\'");
    return {};
  }
  constexpr std::string_view punctuation = "()[]{},;:=~&|^!?<>+-*/%#.@";
  if (punctuation.find(first) != std::string_view::npos) {
    current_.kind = VerilogToken::Kind::punctuation;
    const auto pair = text_.substr(at_, 2);
    const bool double_character = pair == "~^" || pair == "^~" || pair == "&&" || pair == "||";
    current_.text = text_.substr(at_, double_character ? 2 : 1);
    at_ += current_.text.size();
    return {};
  }
  return error_here(fmt::format("unexpected character 0x{:02x}", static_cast<unsigned char>(first)));
}

MaybeError VerilogLexer::advance() {
  current_ = {};
  if (auto failed = skip_blanks()) return failed;
  current_.where = here();
  if (at_ == text_.size()) return {};
  return scan();
}

namespace {

std::optional<std::vector<bool>> decimal_bits(std::string_view digits, std::uint32_t width) {
  const auto value = parse_number<std::uint64_t>(digits);
  if (!value || (width < 64 && (*value >> width) != 0)) return std::nullopt;
  std::vector<bool> bits(width, false);
  for (std::size_t i = 0; i < width && i < 64; ++i) bits[i] = ((*value >> i) & 1U) != 0;
  return bits;
}

// Parses binary or hexadecimal digits; extra leading zeros are allowed.
std::optional<std::vector<bool>> digit_bits(std::string_view digits, std::uint32_t width,
                                            std::size_t bits_per_digit) {
  std::vector<bool> bits(width, false);
  std::size_t position = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit == '_') continue;
    const int value = digit_value(*digit);
    if (value >= (1 << bits_per_digit)) return std::nullopt;
    for (std::size_t bit = 0; bit < bits_per_digit; ++bit, ++position) {
      if (((value >> bit) & 1) == 0) continue;
      if (position >= width) return std::nullopt;
      bits[position] = true;
    }
  }
  return bits;
}

}  // namespace

std::optional<std::vector<bool>> parse_verilog_number(std::string_view text) {
  const auto quote = text.find('\'');
  if (quote == std::string_view::npos) {
    if (text != "0" && text != "1") return std::nullopt;
    return std::vector<bool>{text == "1"};
  }
  const auto width = parse_number<std::uint32_t>(text.substr(0, quote));
  if (!width || *width == 0 || *width > verilog_width_limit || quote + 2 >= text.size()) return std::nullopt;
  const auto digits = text.substr(quote + 2);
  switch (text[quote + 1]) {
    case 'b':
    case 'B':
      return digit_bits(digits, *width, 1);
    case 'h':
    case 'H':
      return digit_bits(digits, *width, 4);
    case 'd':
    case 'D':
      return decimal_bits(digits, *width);
    default:
      return std::nullopt;
  }
}

}  // namespace nestor::io
