#include "io/neighbours/arithmetic.h"

#include <fmt/format.h>

#include <cmath>

#include "base/parse_number.h"

namespace nestor::io::neighbours {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

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
    if (accept(".inf") || accept("inf")) return HUGE_VAL;
    skip();
    const auto begin = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    digits();
    if (at_ > begin && at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    return parse_number<double>(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<double> evaluate(std::string_view expression) {
  constexpr std::size_t longest = 1000;
  if (expression.size() > longest) return std::nullopt;
  const auto value = Parser(expression).whole();
  return value && std::isnan(*value) ? std::nullopt : value;
}

double read_expression(const Node& node, std::string_view what, double low, Reading& reading) {
  const auto value = node.is_scalar() ? evaluate(node.text()) : std::nullopt;
  if (value && *value >= low) return *value;
  reading.fail(node, value ? fmt::format("{} is {}, expected at least {}", what, node.describe(), low)
                           : fmt::format("{} is {}, expected a number or arithmetic of numbers", what,
                                         node.describe()));
  return low;
}

Int read_whole(const Node& node, std::string_view what, IntRange range, Reading& reading) {
  const double value = read_expression(node, what, 0, reading);
  if (reading.failed()) return range.low;
  if (value == std::floor(value) && value >= static_cast<double>(range.low) &&
      value <= static_cast<double>(range.high))
    return static_cast<Int>(value);
  reading.fail(node, fmt::format("{} is {}, expected a whole number from {} to {}", what, node.describe(),
                                 range.low, range.high));
  return range.low;
}

}  // namespace nestor::io::neighbours
