#include "io/cnm/kernel_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/split.h"
#include "io/checked_reader.h"

namespace nestor::io {
namespace {

// Splits "NAME=VALUE", the form of options that describe an assembly file.
MaybeError split_binding(std::string_view option, std::string_view text, std::string& name,
                         std::string& value) {
  const auto equals = text.find('=');
  name = std::string(text.substr(0, equals));
  value = equals == std::string_view::npos ? std::string() : std::string(text.substr(equals + 1));
  if (!name.empty() && !value.empty()) return std::nullopt;
  return usage_error(fmt::format("--{}: expected NAME=VALUE, found {}", option, quote(text)));
}

}  // namespace

MaybeError read_kernel_dims(const RunOptions& options, std::span<const NamedDim> known) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : known) names.push_back(name);
  for (const std::string_view binding : split_list(options.kernel_dims, ',')) {
    const auto equals = binding.find('=');
    const auto name = binding.substr(0, equals);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      return usage_error(fmt::format("--dims: no dimension {}{}, expected {}", quote(name),
                                     suggestion(name, names), join_words(names)));
    const auto value =
        equals == std::string_view::npos ? std::nullopt : to_integer(binding.substr(equals + 1));
    if (!value || *value < 0 || *value > 1'000'000'000)
      return usage_error(
          fmt::format("--dims: expected {}=N with N from 0 to 1000000000, found {}", name, quote(binding)));
    *known[static_cast<std::size_t>(at - names.begin())].second = *value;
  }
  return std::nullopt;
}

MaybeError read_multiply_k(const RunOptions& options, Int& k) {
  if (options.values.empty()) return std::nullopt;
  const std::string_view text = options.values;
  const auto value = text.starts_with("mul=") ? to_integer(text.substr(4)) : std::nullopt;
  if (!value || *value < 0 || *value > 64)
    return usage_error(fmt::format("--values: expected mul=K with K from 0 to 64, found {}", quote(text)));
  k = *value;
  return std::nullopt;
}

MaybeError read_assembly_facts(const RunOptions& options, AssemblyFacts& facts) {
  constexpr Int largest = Int{1} << 32;
  const auto number = [&](std::string_view option, std::string_view text, Int low, Int& value) -> MaybeError {
    const auto read = to_integer(text);
    if (!read || *read < low || *read > largest)
      return usage_error(fmt::format("--{}: expected a whole number from {} to {}, found {}", option, low,
                                     largest, quote(text)));
    value = *read;
    return std::nullopt;
  };
  facts.arguments_symbol = options.arguments_symbol;
  std::string name, value;
  for (const std::string_view word : split_list(options.arguments, ',')) {
    Int argument = 0;
    if (auto error = number("args", word, 0, argument)) return error;
    facts.arguments.push_back(argument);
  }
  for (const std::string_view binding : split_list(options.registers, ',')) {
    if (auto error = split_binding("regs", binding, name, value)) return error;
    if (auto error = number("regs", value, 0, facts.registers[name])) return error;
  }
  for (const auto& text : options.trips) {
    if (auto error = split_binding("trips", text, name, value)) return error;
    if (auto error = number("trips", value, 1, facts.trips[name])) return error;
  }
  for (const auto& text : options.branches) {
    if (auto error = split_binding("branch", text, name, value)) return error;
    const auto share = to_number(value);
    const bool in_range = share && *share >= 0 && *share <= 1;
    if (!in_range)
      return usage_error(fmt::format("--branch: expected a share from 0 to 1, found {}", quote(value)));
    facts.shares[name] = *share;
  }
  return read_multiply_k(options, facts.multiply_k);
}

}  // namespace nestor::io
