#include "io/chip/program/scanner.h"

#include <fmt/format.h>

#include "base/parse_number.h"
#include "io/chip/program/names.h"
#include "io/document.h"

namespace nestor::io {

std::string written_name(std::string_view name) {
  if (!name.empty() && word_length(name, true) == name.size()) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

void Scanner::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool Scanner::at_end() {
  skip_blanks();
  return at_ >= text_.size();
}

Error Scanner::complaint(std::size_t at, std::string message) const {
  int line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < at && i < text_.size(); ++i) {
    if (text_[i] != '\n') continue;
    ++line;
    start = i + 1;
  }
  return input_error({file_, line, static_cast<int>(at - start) + 1}, std::move(message));
}

void Scanner::fail(std::string message) {
  skip_blanks();
  if (!error_) error_ = complaint(at_, std::move(message));
}

void Scanner::fail_at_last(std::string message) {
  if (!error_) error_ = complaint(last_, std::move(message));
}

void Scanner::expected(std::string_view what) {
  skip_blanks();
  if (at_ >= text_.size()) return fail(fmt::format("the text ends; expected {}", what));
  std::size_t end = at_;
  while (end < text_.size() && end - at_ < 24 && text_[end] != ' ' && text_[end] != '\n') ++end;
  fail(fmt::format("found {}; expected {}", quote(text_.substr(at_, end - at_)), what));
}

bool Scanner::take(std::string_view mark) {
  skip_blanks();
  if (failed() || !text_.substr(at_).starts_with(mark)) return false;
  last_ = at_;
  at_ += mark.size();
  return true;
}

void Scanner::require(std::string_view mark) {
  if (!take(mark)) expected(fmt::format("'{}'", mark));
}

std::string_view Scanner::peek_word() {
  skip_blanks();
  return failed() ? std::string_view() : text_.substr(at_, word_length(text_.substr(at_), false));
}

std::string_view Scanner::take_word() {
  const auto word = peek_word();
  last_ = at_;
  at_ += word.size();
  return word;
}

bool Scanner::take_word(std::string_view word) {
  if (peek_word() != word) return false;
  take_word();
  return true;
}

void Scanner::require_word(std::string_view word) {
  if (!take_word(word)) expected(fmt::format("'{}'", word));
}

std::string Scanner::name(std::string_view what) {
  skip_blanks();
  if (failed()) return {};
  last_ = at_;
  if (const std::size_t length = word_length(text_.substr(at_), true); length > 0) {
    at_ += length;
    return std::string(text_.substr(at_ - length, length));
  }
  if (!take("\"")) return expected(what), std::string();
  std::string name;
  for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
    if (text_[at_] != '\\') {
      name += text_[at_];
      continue;
    }
    ++at_;
    const bool escaped = at_ < text_.size() && text_[at_] == 'x';
    if (const auto byte = escaped ? parse_hex_byte(text_.substr(at_ + 1)) : std::nullopt) {
      name += *byte;
      at_ += 2;
    } else if (at_ < text_.size()) {
      name += text_[at_];
    }
  }
  require("\"");
  if (name.empty()) fail_at_last("a name is empty");
  return name;
}

std::optional<Int> Scanner::take_number() {
  skip_blanks();
  if (failed()) return std::nullopt;
  std::size_t end = at_;
  if (end < text_.size() && text_[end] == '-') ++end;
  const std::size_t digits = end;
  while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
  if (end == digits) return std::nullopt;
  const auto value = parse_number<Int>(text_.substr(at_, end - at_));
  if (!value) return fail("a number does not fit 64 bits"), std::nullopt;
  last_ = at_;
  at_ = end;
  return value;
}

Int Scanner::integer(std::string_view what, Int least) {
  const auto value = take_number();
  if (!value) return expected(what), least;
  if (*value < least) fail_at_last(fmt::format("{} is {}; expected at least {}", what, *value, least));
  return *value;
}

}  // namespace nestor::io
