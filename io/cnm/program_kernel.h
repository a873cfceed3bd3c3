// The kernel of an operation in a JSON program (docs/formats.md, "Programs"). Private to io/cnm.
#pragma once

#include <string>

#include "base/tables/hash_table.h"
#include "io/fields.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

/// Indices of the values of a program by name.
using ValueNames = HashMap<std::string, std::size_t>;

/// The kernel of an operation whose `reads` and `writes` are already set. The file lists the region's
/// operations without their arguments, so the reader assigns the arguments. An operation takes the unused
/// results of earlier operations first, then the unused inputs in order, then the output if the kernel
/// accumulates in it; 0 replaces a missing argument. A conversion applies to the first unused value whose
/// type differs from the output's type.
void describe_kernel(Fields& fields, cnm::ProgramOperation& operation, const cnm::KernelProgram& program,
                     const ValueNames& names);

}  // namespace nestor::io
