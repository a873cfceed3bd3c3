// Areas of the parts of a loop-nest machine, and notes about estimated figures, as text.
#pragma once

#include <string>

#include "model/workload/named_machine.h"

namespace nestor::report {

/// True if the area of some part is known.
bool lists_areas(const HierarchyNames& names);
/// Returns the area of an instance in mm^2, or "unknown".
std::string area_text(const std::optional<double>& area);
std::string area_text(const HierarchyNames& names, std::size_t memory);

/// Returns lines for use below a table, each after a line break: the total area, and the parts with estimated
/// figures.
std::string part_costs_text(const Hierarchy& machine, const HierarchyNames& names);

/// Returns the line about estimates for use below a table of results, or an empty string if no figure is an
/// estimate.
std::string estimates_note(const HierarchyNames& names);

}  // namespace nestor::report
