#include "report/part_costs_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/part_costs.h"
#include "report/tables/units.h"

namespace nestor::report {

bool lists_areas(const HierarchyNames& names) {
  return names.compute_area || std::any_of(names.memory_costs.begin(), names.memory_costs.end(),
                                           [](const PartCosts& costs) { return costs.area.has_value(); });
}

std::string area_text(const std::optional<double>& area) {
  return area ? io::figure_text(*area) : std::string("unknown");
}

std::string area_text(const HierarchyNames& names, std::size_t memory) {
  return area_text(memory < names.memory_costs.size() ? names.memory_costs[memory].area : std::nullopt);
}

std::string part_costs_text(const Hierarchy& machine, const HierarchyNames& names) {
  std::string text;
  if (lists_areas(names)) {
    const auto total = io::total_area(machine, names);
    text += total ? fmt::format("\ntotal area {} mm2", io::figure_text(*total))
                  : std::string("\ntotal area unknown: not every part specifies an area");
  }
  if (const std::string estimates = io::estimates_text(names); !estimates.empty())
    text += "\nenergy and area of " + estimates;
  return text;
}

std::string estimates_note(const HierarchyNames& names) {
  const std::string estimates = io::estimates_text(names);
  return estimates.empty() ? estimates : "energies of " + estimates + "\n";
}

}  // namespace nestor::report
