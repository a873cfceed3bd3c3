// A sentence for each rule that a mapping can break (model/loopnest/rules/legality.h), with the names and
// numbers of the case, and for each reason to refuse a layer (model/cim/search/admission.h), as every verb
// prints it.
#pragma once

#include <string>

#include "model/cim/search/admission.h"
#include "model/loopnest/rules/legality.h"
#include "model/workload/named_architecture.h"

namespace nestor::io {

std::string violation_text(const Violation& violation, const Mapping& mapping,
                           const NamedArchitecture& architecture);

std::string refusal_text(cim::Refusal refusal);

}  // namespace nestor::io
