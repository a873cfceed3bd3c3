// Sentences for each rule that a mapping can break (model/loopnest/rules/legality.h), with the names and
// numbers of the case, and for each reason to refuse a layer (model/loopnest/rules/admission.h). All verbs
// print them.
#pragma once

#include <string>

#include "model/loopnest/rules/admission.h"
#include "model/loopnest/rules/legality.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

std::string violation_text(const Violation& violation, const Mapping& mapping, const HierarchyNames& names);

std::string refusal_text(Refusal refusal);

}  // namespace nestor::io
