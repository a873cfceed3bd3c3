#include "io/checked_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parse_number.h"

namespace nestor::io {
namespace {

// Parses an integer, which may be written as 8.0 or 1e3. Returns nothing for any other text.
std::optional<Int> to_whole(std::string_view text) {
  if (const auto value = to_integer(text)) return value;
  const auto value = to_number(text);
  constexpr double exact_limit = 9007199254740992.0;  // 2^53
  if (!value || std::floor(*value) != *value || std::fabs(*value) > exact_limit) return std::nullopt;
  return static_cast<Int>(*value);
}

// Describes the bound of the range that `value` violates or, without a value, the lower bound.
std::string range_text(IntRange range, std::optional<Int> value) {
  if (value && *value > range.high) return fmt::format("of at most {}", range.high);
  return fmt::format("of at least {}", range.low);
}

std::string expected(std::string_view what, const Node& node, std::string_view expectation) {
  return fmt::format("{} is {}, expected {}", what, node.describe(), expectation);
}

std::vector<std::string_view> as_vector(Words words) { return {words.begin(), words.end()}; }

// True for text that is not empty and contains no control characters.
bool is_printable(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::optional<Int> to_integer(std::string_view text) { return parse_number<Int>(text); }

std::optional<double> to_number(std::string_view text) {
  const bool plain = text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  const auto value = parse_number<double>(text);
  return plain && value && std::isfinite(*value) ? value : std::nullopt;
}

void Reading::fail(const Node& where, std::string message) {
  if (!error_) error_ = input_error(where.where(), std::move(message));
}

std::string join_words(Words words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

Int read_integer(const Node& node, std::string_view what, IntRange range, Reading& reading) {
  const auto value = node.is_scalar() && !node.is_quoted() ? to_whole(node.text()) : std::nullopt;
  if (value && *value >= range.low && *value <= range.high) return *value;
  reading.fail(node, expected(what, node, "a whole number " + range_text(range, value)));
  return std::clamp<Int>(1, range.low, range.high);
}

double read_number(const Node& node, std::string_view what, double low, Reading& reading) {
  const auto value = node.is_scalar() && !node.is_quoted() ? to_number(node.text()) : std::nullopt;
  if (value && *value >= low) return *value;
  const bool any = low == std::numeric_limits<double>::lowest();
  reading.fail(node, expected(what, node, any ? "a number" : fmt::format("a number of at least {}", low)));
  return any ? 0 : low;
}

bool read_flag(const Node& node, std::string_view what, Reading& reading) {
  const auto text = node.is_quoted() ? std::string_view() : node.text();
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text != "false" && text != "False" && text != "FALSE")
    reading.fail(node, expected(what, node, "true or false"));
  return false;
}

std::string read_text(const Node& node, std::string_view what, Reading& reading) {
  if (!node.is_scalar()) reading.fail(node, expected(what, node, "a text"));
  return std::string(node.text());
}

std::string read_name(const Node& node, std::string_view what, Reading& reading) {
  constexpr std::size_t longest = 64;
  const auto text = node.text();
  if (is_printable(text) && text.size() <= longest && text.find('/') == std::string_view::npos &&
      !is_blank(text.front()) && !is_blank(text.back()))
    return std::string(text);
  reading.fail(
      node, expected(what, node, fmt::format("a name of 1 to {} printable characters without '/'", longest)));
  return "?";
}

std::string read_title(const Node& node, std::string_view what, Reading& reading) {
  constexpr std::size_t longest = 1024;
  if (is_printable(node.text()) && node.text().size() <= longest) return std::string(node.text());
  reading.fail(node, expected(what, node, fmt::format("a name of 1 to {} printable characters", longest)));
  return "?";
}

Int read_quantity(const Node& node, std::string_view what, std::span<const Unit> units, IntRange range,
                  Reading& reading) {
  std::vector<std::string_view> names;
  for (const auto& unit : units) names.push_back(unit.name);
  const auto fail = [&](std::string_view detail, std::optional<Int> found) {
    reading.fail(node, fmt::format("{} is {}{}, expected a whole number {} or a number with unit {}", what,
                                   node.describe(), detail, range_text(range, found), join_words(names)));
    return std::clamp<Int>(1, range.low, range.high);
  };
  if (!node.is_scalar()) return fail("", std::nullopt);
  const auto text = node.text();
  const auto number_end = std::min(text.find_first_not_of("0123456789+-.eE"), text.size());
  auto unit_name = text.substr(number_end);
  auto number_text = text.substr(0, number_end);
  while (!number_text.empty() && is_blank(number_text.back())) number_text.remove_suffix(1);
  while (!unit_name.empty() && is_blank(unit_name.front())) unit_name.remove_prefix(1);

  Int factor = 1;
  if (!unit_name.empty()) {
    const auto unit = std::find_if(units.begin(), units.end(),
                                   [&](const Unit& candidate) { return candidate.name == unit_name; });
    if (unit == units.end()) return fail(suggestion(unit_name.substr(0, 64), names), std::nullopt);
    factor = unit->factor;
  }
  std::optional<Int> value;
  if (const auto whole = to_whole(number_text))
    value = checked_multiply(*whole, factor).value_or(std::numeric_limits<Int>::max());
  else if (const auto number = to_number(number_text); number && std::fabs(*number) < 1e12) {
    const double product = *number * static_cast<double>(factor);
    if (std::floor(product) == product && std::fabs(product) < 9e15) value = static_cast<Int>(product);
  }
  if (!value || *value < range.low || *value > range.high) return fail("", value);
  return *value;
}

std::size_t read_word(const Node& node, std::string_view what, Words words, Reading& reading) {
  const auto found = std::find(words.begin(), words.end(), node.text());
  if (node.is_scalar() && found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const auto described = node.is_scalar() ? quote(node.text()) : node.describe();
  reading.fail(node, fmt::format("{} is {}{}, expected {}", what, described,
                                 suggestion(node.text(), as_vector(words)), join_words(words)));
  return 0;
}

std::vector<Node> read_list(const Node& node, std::string_view what, std::size_t low, std::size_t high,
                            Reading& reading) {
  if (!node.is_list()) {
    reading.fail(node, expected(what, node, "a list"));
    return {};
  }
  if (node.size() < low || node.size() > high) {
    const auto count = low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
    reading.fail(node, fmt::format("{} has {} item{}, expected {}", what, node.size(),
                                   node.size() == 1 ? "" : "s", count));
    return {};
  }
  std::vector<Node> items;
  items.reserve(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) items.push_back(node.item(i));
  return items;
}

std::vector<Int> read_integers(const Node& node, std::string_view what, std::size_t low, std::size_t high,
                               IntRange range, Reading& reading) {
  std::vector<Int> values;
  for (const Node& item : read_list(node, what, low, high, reading))
    values.push_back(read_integer(item, fmt::format("an item of {}", what), range, reading));
  return values;
}

MapReader::MapReader(const Node& node, std::string what, Words keys, Reading& reading)
    : node_(node), what_(std::move(what)), reading_(reading) {
  if (!node.is_map()) {
    reading_.fail(node, expected(what_, node, fmt::format("a map (keys {})", fmt::join(keys, ", "))));
    return;
  }
  if (!node.tag().empty()) reading_.fail(node, fmt::format("tag {} is not accepted", quote(node.tag())));
  for (std::size_t i = 0; i < node.size() && !reading_.failed(); ++i) {
    const auto key = node.key(i);
    if (std::find(keys.begin(), keys.end(), key.text()) == keys.end())
      reading_.fail(key, fmt::format("unknown key {} in {}{}, expected {}", quote(key.text()), what_,
                                     suggestion(key.text(), as_vector(keys)), join_words(keys)));
  }
}

std::optional<Node> MapReader::find(std::string_view key) const {
  return reading_.failed() ? std::nullopt : node_.find(key);
}

std::optional<Node> MapReader::require(std::string_view key) const {
  const auto value = find(key);
  if (!value) {
    const auto name = node_.find("name");
    const auto which = name && name->is_scalar() ? fmt::format(" {}", quote(name->text())) : std::string();
    reading_.fail(node_, fmt::format("{}{} has no key '{}'", what_, which, key));
  }
  return value;
}

std::string MapReader::label(std::string_view key) const {
  return key.size() == 1 ? fmt::format("{} {}", what_, key) : std::string(key);
}

Int MapReader::integer(std::string_view key, IntRange range) const {
  const auto value = require(key);
  return value ? read_integer(*value, label(key), range, reading_)
               : std::clamp<Int>(1, range.low, range.high);
}

Int MapReader::integer(std::string_view key, IntRange range, Int fallback) const {
  const auto value = find(key);
  return value ? read_integer(*value, label(key), range, reading_) : fallback;
}

double MapReader::number(std::string_view key, double low, double fallback) const {
  const auto value = find(key);
  return value ? read_number(*value, label(key), low, reading_) : fallback;
}

bool MapReader::flag(std::string_view key, bool fallback) const {
  const auto value = find(key);
  return value ? read_flag(*value, label(key), reading_) : fallback;
}

std::string MapReader::text(std::string_view key, const std::string& fallback) const {
  const auto value = find(key);
  return value ? read_text(*value, label(key), reading_) : fallback;
}

std::string MapReader::name(std::string_view key) const {
  const auto value = require(key);
  return value ? read_name(*value, label(key), reading_) : "?";
}

std::string MapReader::title(std::string_view key) const {
  const auto value = require(key);
  return value ? read_title(*value, key, reading_) : "?";
}

std::string MapReader::title(std::string_view key, const std::string& fallback) const {
  const auto value = find(key);
  return value ? read_title(*value, key, reading_) : fallback;
}

Int MapReader::quantity(std::string_view key, std::span<const Unit> units, IntRange range) const {
  const auto value = require(key);
  return value ? read_quantity(*value, label(key), units, range, reading_)
               : std::clamp<Int>(1, range.low, range.high);
}

Int MapReader::quantity(std::string_view key, std::span<const Unit> units, IntRange range,
                        Int fallback) const {
  const auto value = find(key);
  return value ? read_quantity(*value, label(key), units, range, reading_) : fallback;
}

std::size_t MapReader::word(std::string_view key, Words words) const {
  const auto value = require(key);
  return value ? read_word(*value, label(key), words, reading_) : 0;
}

std::vector<Node> MapReader::list(std::string_view key, std::size_t low, std::size_t high) const {
  const auto value = require(key);
  return value ? read_list(*value, label(key), low, high, reading_) : std::vector<Node>{};
}

}  // namespace nestor::io
