#include "io/arithmetic.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include "base/parse_number.h"

namespace nestor::io {
namespace {

class ArithmeticParser {
 public:
  ArithmeticParser(std::string_view text, std::span<const NamedValue> names) : text_(text), names_(names) {}

  std::optional<double> whole() {
    const auto value = sum();
    skip();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<double> sum() {
    auto value = product();
    while (value) {
      const bool plus = accept("+");
      if (!plus && !accept("-")) break;
      const auto next = product();
      if (!next) return next;
      *value = plus ? *value + *next : *value - *next;
    }
    return value;
  }
  std::optional<double> product() {
    auto value = power();
    while (value) {
      const bool times = accept("*");
      if (!times && !accept("/")) break;
      const auto next = power();
      if (!next) return next;
      *value = times ? *value * *next : *value / *next;
    }
    return value;
  }
  std::optional<double> power() {
    if (++depth_ > 64) return std::nullopt;
    std::optional<double> value;
    if (accept("-")) {
      value = power();
      if (value) value = -*value;
    } else if (accept("+")) {
      value = power();
    } else {
      value = primary();
      if (value && accept("**")) {
        const auto exponent = power();
        value = exponent ? std::optional(std::pow(*value, *exponent)) : std::nullopt;
      }
    }
    --depth_;
    return value;
  }
  std::optional<double> primary() {
    if (accept("(")) {
      const auto value = sum();
      return value && accept(")") ? value : std::nullopt;
    }
    if (accept(".inf")) return HUGE_VAL;
    skip();
    const auto name = word();
    return name.empty() ? number() : value_of(name);
  }

  std::string_view word() {
    const auto begin = at_;
    const auto is_part = [&](std::size_t at) {
      const auto c = static_cast<unsigned char>(text_[at]);
      return c == '_' || std::isalpha(c) != 0 || (at > begin && std::isdigit(c) != 0);
    };
    while (at_ < text_.size() && is_part(at_)) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::optional<double> value_of(std::string_view name) {
    if (name == "inf") return HUGE_VAL;
    if ((name == "max" || name == "min") && accept("(")) {
      const auto first = sum();
      const auto second = first && accept(",") ? sum() : std::nullopt;
      if (!second || !accept(")")) return std::nullopt;
      return name == "max" ? std::max(*first, *second) : std::min(*first, *second);
    }
    const auto found = std::find_if(names_.begin(), names_.end(),
                                    [&](const NamedValue& each) { return each.first == name; });
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<double> number() {
    std::string number;
    const auto digits = [&] {
      for (; at_ < text_.size(); ++at_)
        if (const char c = text_[at_]; c >= '0' && c <= '9')
          number += c;
        else if (c != '_' || number.empty())
          break;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') number += text_[at_++];
    digits();
    if (!number.empty() && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      number += text_[at_++];
      if (at_ < text_.size() && text_[at_] == '-') number += '-';
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    return parse_number<double>(number);
  }

  std::string_view text_;
  std::span<const NamedValue> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<double> evaluate(std::string_view expression, std::span<const NamedValue> names) {
  constexpr std::size_t longest = 1000;
  if (expression.size() > longest) return std::nullopt;
  const auto value = ArithmeticParser(expression, names).whole();
  return value && std::isnan(*value) ? std::nullopt : value;
}

}  // namespace nestor::io
