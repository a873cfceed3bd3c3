// Forms in which systems store the values of an operation with a known mapping. A token identifies a form. A
// value need not be moved between operations that use it with equal tokens (docs/models/cnm.md,
// "Offloading").
#pragma once

#include "mapper/cnm/convolution.h"
#include "model/cnm/kernel_program.h"
#include "model/cnm/mapping.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Sets the forms of the operation's values on the system. `kernel` has the mapping's extents. It is the
/// operation's own kernel or, for a convolution computed as a matrix product, the kernel of that product.
void set_forms(const KernelProgram& program, ProgramOperation& operation,
               const std::optional<ConvolutionProduct>& product, const Kernel& kernel,
               const CnmMapping& mapping, const System& system);

}  // namespace nestor::cnm
