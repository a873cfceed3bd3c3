// The kernel of a program's operation as JSON (docs/formats.md, "Programs"). Private to io/cnm.
#pragma once

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json kernel_json(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation);

/// Gives the operation, whose `reads` and `writes` are there, its kernel; `names`: values by name. The file
/// names what the region does and not on what. Operations take the inputs in order, then the output; results
/// come before what is left, and zero stands for what is missing. A conversion, to the output's type, takes
/// the first value of another type.
void read_kernel(const Node& node, const cnm::KernelProgram& program,
                 const HashMap<std::string, std::size_t>& names, cnm::ProgramOperation& operation,
                 Reading& reading);

}  // namespace nestor::io
