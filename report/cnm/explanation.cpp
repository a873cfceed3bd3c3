#include "report/cnm/explanation.h"

#include <fmt/format.h>

#include "io/table.h"

namespace nestor::report {

void add_changes(io::Json& entry, const std::vector<ChangedSystem>& changes) {
  auto& json = entry["explanation"] = io::Json::array();
  for (const auto& [path, value, time_ms, status] : changes)
    json.push_back({{"changed", path}, {"to", value}, {"time_ms", time_ms}, {"status", to_string(status)}});
}

std::string changes_text(const std::vector<ChangedSystem>& changes, double time_ms) {
  io::Table table({{"changed", io::Align::left}, {"to"}, {"time"}, {"faster by"}});
  for (const auto& change : changes)
    table.add_row({change.path, fmt::format("{}", change.value), fmt::format("{:.4f} ms", change.time_ms),
                   fmt::format("{:.2f}", time_ms / change.time_ms)});
  return table.to_string();
}

}  // namespace nestor::report
