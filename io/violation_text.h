// A sentence for each rule that a mapping can break (model/cim/legality.h), with the names and numbers of the
// case, as every verb prints it.
#pragma once

#include <string>

#include "model/cim/legality.h"
#include "model/workload/named_architecture.h"

namespace nestor::io {

std::string violation_text(const cim::Violation& violation, const Mapping& mapping,
                           const NamedArchitecture& architecture);

}  // namespace nestor::io
