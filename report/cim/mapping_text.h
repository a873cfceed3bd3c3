// A mapping as a person reads it: the loop nest from the outside in, with the memory that holds each
// operand's block at each loop, what runs in parallel, and how full each memory is.
#pragma once

#include <string>

#include "model/cim/evaluate.h"
#include "model/workload/named_machine.h"

namespace nestor::report {

/// The mapping is legal; `evaluation` is its own.
std::string mapping_text(const Mapping& mapping, const cim::CimEvaluation& evaluation,
                         const NamedArchitecture& architecture);

}  // namespace nestor::report
