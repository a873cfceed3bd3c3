// Reader and printer of MLIR as compilers write it: functions of linalg operations and affine loop nests on
// tensors or memrefs (docs/mlir.md). Named operations become generic ones. A function is a program; a
// function with a single operation is a kernel. A kernel is printed as a linalg.generic; reading it yields
// the same kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/cnm/kernel_program.h"

namespace nestor::io {

struct MlirChoices {
  std::vector<std::string> shapes;  ///< "ARG=4x128", for arguments with dynamic dimensions
  std::string function;             ///< name of the function to read; empty: all functions
};

struct MlirFile {
  std::vector<cnm::KernelProgram> programs;         ///< functions with operations
  std::vector<std::vector<SourceLocation>> places;  ///< positions of the operations of each program
};
Result<MlirFile> parse_mlir_programs(std::string_view text, const std::string& file,
                                     const MlirChoices& choices = {});

/// Parses a file with one operation into a kernel.
Result<cnm::Kernel> parse_mlir(std::string_view text, const std::string& file);
Result<cnm::Kernel> single_kernel(MlirFile file);

std::string to_mlir(const cnm::Kernel& kernel);

}  // namespace nestor::io
