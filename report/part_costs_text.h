// Areas and estimates of a loop-nest machine, as its text shows them.
#pragma once

#include <string>

#include "model/workload/named_machine.h"

namespace nestor::report {

/// Is the area of any part known?
bool lists_areas(const HierarchyNames& names);
/// mm^2 an instance; "unknown" without one.
std::string area_text(const std::optional<double>& area);
std::string area_text(const HierarchyNames& names, std::size_t memory);

/// Lines below a table, each after a line break: the total area, and whose figures are estimates.
std::string part_costs_text(const Hierarchy& machine, const HierarchyNames& names);

/// The line about estimates below a table of results; empty if no figure of the machine is one.
std::string estimates_note(const HierarchyNames& names);

}  // namespace nestor::report
