// Programs of several operations as JSON (docs/formats.md, "Programs"): what `show --as program` prints, and
// what `map` reads where each operation has its times.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json to_json(const cnm::KernelProgram& program);

/// Operations with their times; a kernel in it is not read (MLIR has those that are mapped).
Result<cnm::KernelProgram> program_from(const Node& node);
Result<cnm::KernelProgram> read_program_file(const std::string& path);

}  // namespace nestor::io
