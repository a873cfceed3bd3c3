// A mapping as text: the loop nest from the outside in, with the memory of each operand's block at each loop,
// the parallel factors, and the use of each memory.
#pragma once

#include <string>

#include "model/cim/evaluate.h"
#include "model/workload/named_machine.h"

namespace nestor::report {

/// The mapping must be legal, and `evaluation` must belong to it.
std::string mapping_text(const Mapping& mapping, const cim::CimEvaluation& evaluation,
                         const NamedArchitecture& architecture);

}  // namespace nestor::report
