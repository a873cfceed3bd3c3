// Programs of several operations as JSON (docs/formats.md, "Programs"), printed by `show --as program` and
// read by `map`.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json to_json(const cnm::KernelProgram& program);

Result<cnm::KernelProgram> program_from(const Node& node);
Result<cnm::KernelProgram> read_program_file(const std::string& path);

}  // namespace nestor::io
