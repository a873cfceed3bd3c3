// A sentence for each rule that a mapping can break (model/cim/legality.h), with the names and numbers of the
// case, and for each reason to refuse a layer (model/cim/admission.h), as every verb prints it.
#pragma once

#include <string>

#include "model/cim/admission.h"
#include "model/cim/legality.h"
#include "model/workload/named_architecture.h"

namespace nestor::io {

std::string violation_text(const cim::Violation& violation, const Mapping& mapping,
                           const NamedArchitecture& architecture);

std::string refusal_text(cim::Refusal refusal);

}  // namespace nestor::io
