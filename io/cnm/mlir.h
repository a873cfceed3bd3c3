// MLIR as compilers print it: functions of linalg operations and affine nests on tensors or memrefs
// (docs/mlir.md). Named operations are made generic. A function is a program; one with a single operation is
// a kernel. Printing a kernel gives a linalg.generic that reads back to the same kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

struct MlirChoices {
  std::vector<std::string> shapes;  ///< "ARG=4x128", for arguments with open extents
  std::string function;             ///< its name; empty: all
};

struct MlirFile {
  std::vector<cnm::KernelProgram> programs;         ///< functions with operations
  std::vector<std::vector<SourceLocation>> places;  ///< of their operations
};
Result<MlirFile> parse_mlir_programs(std::string_view text, const std::string& file,
                                     const MlirChoices& choices = {});

/// The kernel of a file with one operation.
Result<cnm::Kernel> parse_mlir(std::string_view text, const std::string& file);
Result<cnm::Kernel> single_kernel(MlirFile file);

std::string to_mlir(const cnm::Kernel& kernel);

}  // namespace nestor::io
