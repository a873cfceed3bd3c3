// Effect of another compute-near-memory system (`map --explain`): the values that are changed, one at a time,
// and the findings of the searches as JSON and text.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "mapper/cnm/explain.h"

namespace nestor::report {

/// Returns systems with one resource more or faster than `system`, where this can be modelled.
std::vector<cnm::ChangedSystem> changed_systems(const cnm::System& system);

void add_changes(io::Json& entry, const std::vector<cnm::ChangedOptimum>& changes);

/// Returns the text. `time_ms` is the time on the unchanged system.
std::string changes_text(const std::vector<cnm::ChangedOptimum>& changes, double time_ms);

}  // namespace nestor::report
