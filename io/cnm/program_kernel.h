// Reader of the kernel of an operation in a JSON program (docs/formats.md, "Programs"). Private to io/cnm.
#pragma once

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json kernel_json(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation);

/// Gives the operation its kernel; its `reads` and `writes` must already be set. `names` maps names to
/// values. The file names the region's operations but not their arguments. Operations take the inputs in
/// order, then the output. Results come before unused values, and zero replaces a missing argument. A
/// conversion goes to the output's type and takes the first value of another type.
void read_kernel(const Node& node, const cnm::KernelProgram& program,
                 const HashMap<std::string, std::size_t>& names, cnm::ProgramOperation& operation,
                 Reading& reading);

}  // namespace nestor::io
