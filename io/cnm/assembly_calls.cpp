#include "io/cnm/assembly_calls.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "io/error.h"

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

}  // namespace nestor::io
