// Effect of changes to a compute-near-memory system (`map --explain`): systems that each differ in one value,
// and the findings of the searches as text.
#pragma once

#include <string>
#include <vector>

#include "mapper/cnm/explain.h"

namespace nestor::report {

/// Returns systems in which one resource is larger or faster than in `system`, where this can be modelled.
std::vector<cnm::ChangedSystem> changed_systems(const cnm::System& system);

/// Returns the findings as text. `time_ms` is the time on the unchanged system.
std::string changes_text(const std::vector<cnm::ChangedOptimum>& changes, double time_ms);

}  // namespace nestor::report
