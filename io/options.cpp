#include "io/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parse_number.h"
#include "io/option_rows.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, verb_count> verb_names = {
    "show",  "evaluate", "simulate", "verify",  "schedule", "map",   "lp",   "compile", "estimate",
    "proof", "export",   "import",   "compare", "report",   "sweep", "work", "store",   "check"};

MaybeError bad_value(const Option& option, std::string_view text, std::string_view expected,
                     std::string_view hint = {}) {
  return usage_error(fmt::format("--{} is '{}', expected {}{}", option.name, text, expected, hint));
}

// Returns a hint for an integer that does not fit an Int, since the range alone would not explain the
// problem.
std::string_view too_large_hint(std::string_view text) {
  return is_out_of_range<Int>(text) ? " (at most 9223372036854775807, which is 2^63 - 1)" : "";
}

// Each kind of option value has an overload of assign(), shown() and range_of().

MaybeError assign(const Option& option, const SwitchValue& value, RunOptions& options,
                  std::string_view text) {
  if (!text.empty() && text != "true" && text != "false") return bad_value(option, text, "true or false");
  options.*value.field = text != "false";
  return std::nullopt;
}
MaybeError assign(const Option& option, const IntegerValue& value, RunOptions& options,
                  std::string_view text) {
  const auto number = parse_number<Int>(text);
  if (!number || *number < value.low || *number > value.high)
    return bad_value(option, text, option.range(), too_large_hint(text));
  std::visit([&, assigned = *number](const auto field) { options.*field = assigned; }, value.field);
  return std::nullopt;
}
MaybeError assign(const Option& option, const RealValue& value, RunOptions& options, std::string_view text) {
  const auto number = parse_number<double>(text);
  if (!number || std::isnan(*number) || *number < value.low || *number > value.high)
    return bad_value(option, text, option.range());
  options.*value.field = *number;
  return std::nullopt;
}
MaybeError assign(const Option&, const TextValue& value, RunOptions& options, std::string_view text) {
  options.*value.field = text.empty() ? value.when_bare : text;
  return std::nullopt;
}
MaybeError assign(const Option&, const OutputValue& value, RunOptions& options, std::string_view text) {
  options.*value.field = text.empty() ? value.when_bare : text;
  return std::nullopt;
}
MaybeError assign(const Option& option, const ChoiceValue& value, RunOptions& options,
                  std::string_view text) {
  for (std::size_t i = 0; i < value.words.size(); ++i) {
    if (value.words[i] == text) {
      value.set(options, i);
      return std::nullopt;
    }
  }
  return bad_value(option, text, option.range(), suggestion(text, {value.words.begin(), value.words.end()}));
}
MaybeError assign(const Option&, const ListValue& value, RunOptions& options, std::string_view text) {
  (options.*value.field).emplace_back(text);
  return std::nullopt;
}
MaybeError assign(const Option&, const CustomValue& value, RunOptions& options, std::string_view text) {
  return value.set(options, text);
}

std::string shown(const SwitchValue& value, const RunOptions& options) {
  return options.*value.field ? "true" : "false";
}
std::string shown(const IntegerValue& value, const RunOptions& options) {
  if (const auto* field = std::get_if<Int RunOptions::*>(&value.field))
    return fmt::format("{}", options.**field);
  const auto number = options.*std::get<std::optional<Int> RunOptions::*>(value.field);
  return number ? fmt::format("{}", *number) : std::string();
}
std::string shown(const RealValue& value, const RunOptions& options) {
  return std::isinf(options.*value.field) ? "none" : fmt::format("{}", options.*value.field);
}
std::string shown(const TextValue& value, const RunOptions& options) { return options.*value.field; }
std::string shown(const OutputValue& value, const RunOptions& options) { return options.*value.field; }
std::string shown(const ChoiceValue& value, const RunOptions& options) {
  const auto chosen = value.get(options);
  return chosen < value.words.size() ? std::string(value.words[chosen]) : std::string();
}
std::string shown(const ListValue& value, const RunOptions& options) {
  return join_words(options.*value.field);
}
std::string shown(const CustomValue& value, const RunOptions& options) { return value.get(options); }

std::string range_of(const SwitchValue&) { return {}; }
std::string range_of(const IntegerValue& value) {
  if (value.high == std::numeric_limits<Int>::max()) return fmt::format("an integer from {}", value.low);
  return fmt::format("an integer from {} to {}", value.low, value.high);
}
std::string range_of(const RealValue& value) {
  if (std::isinf(value.high)) return fmt::format("a number from {}", value.low);
  return fmt::format("a number from {} to {}", value.low, value.high);
}
std::string range_of(const TextValue&) { return {}; }
std::string range_of(const OutputValue&) { return {}; }
std::string range_of(const ChoiceValue& value) {
  std::string text;
  for (std::size_t i = 0; i < value.words.size(); ++i) {
    if (i > 0) text += i + 1 == value.words.size() ? " or " : ", ";
    text += value.words[i];
  }
  return text;
}
std::string range_of(const ListValue& value) { return std::string(value.range); }
std::string range_of(const CustomValue& value) { return std::string(value.range); }

}  // namespace

bool RunOptions::is_given(std::string_view name) const {
  return std::find(given.begin(), given.end(), name) != given.end();
}

bool is_among(std::string_view kinds, std::string_view kind) {
  if (kinds.empty()) return true;
  for (auto rest = kinds; !rest.empty();) {
    const auto end = std::min(rest.find(", "), rest.size());
    if (rest.substr(0, end) == kind) return true;
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return false;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_of(" \"\\") == std::string::npos) {
      text += word;
      continue;
    }
    text += '"';
    for (const char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    std::string& word = words.emplace_back();
    const bool quoted = text[i] == '"';
    for (i += quoted ? 1 : 0; i < text.size() && text[i] != (quoted ? '"' : ' '); ++i) {
      if (quoted && text[i] == '\\' && i + 1 < text.size()) ++i;
      word += text[i];
    }
  }
  return words;
}

bool Option::value_is_optional() const {
  const auto* text = std::get_if<TextValue>(&value);
  const auto* output = std::get_if<OutputValue>(&value);
  return (text != nullptr && !text->when_bare.empty()) || (output != nullptr && !output->when_bare.empty());
}

std::string Option::range() const {
  return std::visit([](const auto& kind) { return range_of(kind); }, value);
}

std::string Option::get(const RunOptions& options) const {
  return std::visit([&](const auto& kind) { return shown(kind, options); }, value);
}

MaybeError Option::set(RunOptions& options, std::string_view text) const {
  if (text.empty() && !is_switch() && !value_is_optional())
    return usage_error(
        fmt::format("--{} has no value, expected {}", name, range().empty() ? placeholder : range()));
  auto error = std::visit([&](const auto& kind) { return assign(*this, kind, options, text); }, value);
  if (!error && !options.is_given(name)) options.given.push_back(name);
  return error;
}

std::span<const Option> option_table() {
  static const auto table = [] {
    std::vector<Option> rows;
    for (const auto part : {shared_option_rows(), simd_option_rows(), cim_option_rows(), cnm_option_rows(),
                            compile_option_rows(), pim_option_rows(), sweep_option_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return table;
}

const Option* find_option(Verb verb, std::string_view name) {
  for (const auto& option : option_table())
    if (option.name == name && option.verbs.contains(verb)) return &option;
  return nullptr;
}

MaybeError set_option(RunOptions& options, Verb verb, std::string_view name, std::string_view text) {
  if (const auto* option = find_option(verb, name)) {
    if (!option->is_repeatable()) return option->set(options, text);
    for (const auto& word : split_words(text))
      if (auto error = option->set(options, word)) return error;
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const auto& option : option_table())
    if (option.verbs.contains(verb)) names.push_back(option.name);
  return usage_error(
      fmt::format("'{}' is not an option of {}{}", name, to_string(verb), suggestion(name, names)));
}

std::string_view to_string(Verb verb) { return verb_names[static_cast<std::size_t>(verb)]; }
std::string options_page() {
  std::string page =
      "# Options\n\n"
      "Generated from the option table (`io/option_rows*.cpp`) by `make expected`; a test compares them.\n"
      "`nestor VERB --help` lists the options of one verb. Without a space, an option is for all spaces of "
      "its\n"
      "verbs. Under *plans* are the verbs for which the plan of a sweep may set the option "
      "(docs/sweep.md).\n\n"
      "| option | values | default | verbs | spaces | plans | what it does |\n"
      "|---|---|---|---|---|---|---|\n";
  const auto words_of = [](VerbSet verbs) {
    std::string words;
    for (std::size_t i = 0; i < verb_names.size(); ++i)
      if (verbs.contains(static_cast<Verb>(i)))
        words += fmt::format("{}{}", words.empty() ? "" : ", ", verb_names[i]);
    return words;
  };
  const RunOptions defaults;
  for (const auto& option : option_table())
    page += fmt::format("| `--{}{}{}` | {} | {} | {} | {} | {} | {} |\n", option.name,
                        option.placeholder.empty() ? "" : " ", option.placeholder, option.range(),
                        option.get(defaults), words_of(option.verbs), option.kinds,
                        words_of(option.plan_verbs), option.help);
  return page;
}

}  // namespace nestor::io
