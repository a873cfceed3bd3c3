// The forms in which the systems hold the values of an operation whose mapping is known: tokens that are
// equal where values need not be moved (docs/models/cnm.md, "Offloading").
#pragma once

#include "model/cnm/kernel_program.h"
#include "model/cnm/mapping.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Sets the operation's parts on the system, for a kernel with the mapping's extents.
void set_forms(const KernelProgram& program, ProgramOperation& operation, const Kernel& kernel,
               const CnmMapping& mapping, const System& system);

}  // namespace nestor::cnm
