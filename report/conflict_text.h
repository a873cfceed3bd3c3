// Text with the reason why a layer has no mapping.
#pragma once

#include <string>

#include "mapper/loopnest/conflict.h"
#include "model/workload/named_machine.h"

namespace nestor::report {

std::string conflict_text(const mapper::Conflict& conflict, const Constraints& constraints,
                          const Hierarchy& machine, const HierarchyNames& names);

}  // namespace nestor::report
