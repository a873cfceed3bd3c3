// Reader and writer of programs with several operations in JSON (docs/formats.md, "Programs"). `show --as
// program` writes them, and `map` reads them.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json to_json(const cnm::KernelProgram& program);
/// The schema of a file with a program.
Json cnm_program_schema();

Result<cnm::KernelProgram> program_from(const Node& node);
Result<cnm::KernelProgram> read_program_file(const std::string& path);

}  // namespace nestor::io
