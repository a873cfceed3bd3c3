// Kernels from MLIR text: one function with one linalg operation, memrefs or tensors of static extents
// (docs/models/cnm.md, "Languages"). Named operations are made generic. Printing gives a linalg.generic that
// reads back to the same kernel.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/cnm/kernel.h"

namespace nestor::io {

Result<cnm::Kernel> parse_mlir(std::string_view text, const std::string& file);

std::string to_mlir(const cnm::Kernel& kernel);

}  // namespace nestor::io
