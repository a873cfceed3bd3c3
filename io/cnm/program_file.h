// Programs of several operations as JSON (docs/formats.md, "Programs"): what `show --as program` prints.
#pragma once

#include "io/files.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

Json to_json(const cnm::KernelProgram& program);

}  // namespace nestor::io
