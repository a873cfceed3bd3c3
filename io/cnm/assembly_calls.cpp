#include "io/cnm/assembly_calls.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io {

std::variant<cnm::Item, std::string> runtime_call(const std::string& name, std::optional<Int> bytes,
                                                  Int multiply_k, const cnm::System& system) {
  const auto cost = system.calls.find(name);
  if (cost == system.calls.end()) {
    std::vector<std::string_view> names;
    for (const auto& [known, slots] : system.calls) names.push_back(known);
    return fmt::format(
        "function '{0}' is neither in this file nor in the system's calls{1}; specify --set calls.{0}=SLOTS",
        name, suggestion(name, names));
  }
  if (cost->second.is_barrier) return cnm::barrier();
  if (cost->second.bytes_per_slot > 0 && !bytes)
    return fmt::format("the number of bytes that '{}' processes (r2) is unknown", name);
  return cnm::slots(cost->second.slots(multiply_k, bytes.value_or(0)));
}

MaybeError check_targets(const AsmText& text, const std::string& file, const cnm::System& system,
                         std::vector<std::string>& warnings) {
  const bool is_whole = text.labels.contains("main");
  std::set<std::string_view> outer;
  for (const AsmInstruction& instruction : text.code) {
    const std::string& label = instruction.target;
    if (label.empty() || text.labels.contains(label) || system.calls.contains(label)) continue;
    if (is_whole) {
      std::vector<std::string_view> names;
      for (const auto& [known, at] : text.labels) names.push_back(known);
      return input_error({file, instruction.line, instruction.column},
                         fmt::format("no label {} here, and no such function in the system's calls{}",
                                     quote(label), suggestion(label, names)));
    }
    if (outer.insert(label).second)
      warnings.push_back(
          fmt::format("{}: no label {} here, a branch to it ends the fragment", file, quote(label)));
  }
  return std::nullopt;
}

}  // namespace nestor::io
