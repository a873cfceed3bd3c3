// Reader of the kernels that users specify for the cnm space: a file in any supported language, recognised by
// its extension, or a built-in kernel with dimensions. Steps that require a mapping are left to the callers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/cnm/mlir.h"
#include "io/options.h"
#include "model/cnm/ir.h"
#include "model/cnm/kernel.h"
#include "model/cnm/listing.h"
#include "model/cnm/program.h"
#include "model/cnm/stream.h"
#include "model/cnm/system.h"

namespace nestor::io {

struct KernelInput {
  std::string name;
  std::string file;
  // Exactly one of these five is set, except that a kernel in CNM IR also has the listing to which it was
  // lowered.
  std::optional<cnm::Kernel> kernel;    ///< a kernel to map
  std::optional<cnm::IrKernel> ir;      ///< a kernel lowered by hand
  std::optional<cnm::Listing> listing;  ///< the listing of one tasklet
  std::optional<cnm::Program> program;  ///< the program of one tasklet, from assembly
  std::optional<cnm::Stream> stream;    ///< the command stream of a channel
  Int tasklets = 1;
  std::vector<std::string> warnings;
};

/// True if the path has the extension of a kernel file; built-in kernels have none.
bool is_kernel_file(const std::string& path);

Result<KernelInput> read_kernel_file(const std::string& path, const RunOptions& options,
                                     const cnm::System& system);

/// Reads the functions of an MLIR file, with --shape and --function applied.
Result<MlirFile> read_mlir_file(const std::string& path, const RunOptions& options);

/// Reads a built-in listing for UPMEM, with --dims, --dtype, --tasklets and --values.
Result<KernelInput> read_shipped_kernel(const std::string& name, const RunOptions& options);

}  // namespace nestor::io
