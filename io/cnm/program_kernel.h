// Reader and writer of the kernel of an operation in a JSON program (docs/formats.md, "Programs"). Private to
// io/cnm.
#pragma once

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json kernel_json(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation);

/// Reads the kernel of the operation, whose `reads` and `writes` must already be set. `names` maps names to
/// values. The file lists the region's operations without their arguments, so the reader assigns the
/// arguments. An operation takes the unused results of earlier operations first, then the unused inputs in
/// order, then the output if the kernel accumulates in it; 0 replaces a missing argument. A conversion
/// applies to the first unused value whose type differs from the output's type.
void read_kernel(const Node& node, const cnm::KernelProgram& program,
                 const HashMap<std::string, std::size_t>& names, cnm::ProgramOperation& operation,
                 Reading& reading);

}  // namespace nestor::io
