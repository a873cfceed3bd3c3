// Why a kernel has no mapping on a system, and what helps, in a sentence.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::cnm {

/// An operation, load or store of the kernel that the system has no slots for; empty if there is none.
std::string find_missing_slots(const Kernel& kernel, const System& system);

/// An operand of which no part can be transferred, whatever the map; empty if there is none.
std::string find_unaligned_operand(const Kernel& kernel, const System& system);

/// Of a kernel of which a search has shown that no single map is legal on UPMEM.
std::string why_no_map(const Kernel& kernel, const System& system, const Library& library);

}  // namespace nestor::cnm
