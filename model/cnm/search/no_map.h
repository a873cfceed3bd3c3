// Explanation, as a sentence with a remedy, of why a kernel has no mapping on a system.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::cnm {

/// Returns a message if the system has no slots for an operation, load or store of the kernel, otherwise an
/// empty string.
std::string find_missing_slots(const Kernel& kernel, const System& system);

/// Returns a message if an operand has no part that can be transferred under any map, otherwise an empty
/// string.
std::string find_unaligned_operand(const Kernel& kernel, const System& system);

/// Returns the explanation for a kernel if a search has shown that no single map of it is legal on UPMEM.
std::string why_no_map(const Kernel& kernel, const System& system, const Library& library);

}  // namespace nestor::cnm
