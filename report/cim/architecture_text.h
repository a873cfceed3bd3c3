// An architecture as text: the hierarchy from the outside in, indented below each spatial axis.
#pragma once

#include <string>

#include "model/workload/named_machine.h"

namespace nestor::report {

std::string architecture_text(const NamedArchitecture& architecture);

}  // namespace nestor::report
