// Why a layer has no mapping, in a sentence.
#pragma once

#include <string>

#include "mapper/cim/conflict.h"
#include "model/workload/named_architecture.h"

namespace nestor::report {

std::string conflict_text(const mapper::Conflict& conflict, const Constraints& constraints,
                          const NamedArchitecture& architecture);

}  // namespace nestor::report
