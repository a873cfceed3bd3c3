// Effect of another compute-near-memory system (`map --explain`): which values are changed, one at a
// time, and what the searches found as JSON and text.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "mapper/cnm/explain.h"

namespace nestor::report {

/// Systems with one resource more or faster than `system`, as far as that can be modelled.
std::vector<cnm::ChangedSystem> changed_systems(const cnm::System& system);

void add_changes(io::Json& entry, const std::vector<cnm::ChangedOptimum>& changes);

/// `time_ms`: of the system as it is.
std::string changes_text(const std::vector<cnm::ChangedOptimum>& changes, double time_ms);

}  // namespace nestor::report
