// Kernels of the cnm space as they are given: a file in any of its languages, told by its ending, or one of
// the listings that ship, with dimensions. Read as far as it goes without a mapping.
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
  // One of these.
  std::optional<cnm::Kernel> kernel;    ///< to be mapped
  std::optional<cnm::IrKernel> ir;      ///< lowered by hand
  std::optional<cnm::Listing> listing;  ///< of one tasklet
  std::optional<cnm::Program> program;  ///< of one tasklet, from assembly
  std::optional<cnm::Stream> stream;    ///< of a channel
  Int tasklets = 1;
  std::vector<std::string> warnings;
  std::string text;  ///< of a listing or a stream, where a result holds it
};

/// By its ending; built-in kernels have none.
bool is_kernel_file(const std::string& path);

Result<KernelInput> read_kernel_file(const std::string& path, const RunOptions& options,
                                     const cnm::System& system);

/// The functions of an MLIR file, with --shape and --function.
Result<MlirFile> read_mlir_file(const std::string& path, const RunOptions& options);

/// A listing that ships, for UPMEM, with --dims, --dtype, --tasklets and --values.
Result<KernelInput> read_shipped_kernel(const std::string& name, const RunOptions& options);

}  // namespace nestor::io
