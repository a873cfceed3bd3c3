// What the verbs of the cnm space work on: a kernel in any of its languages, or a built-in one with
// dimensions, read as far as it goes without a mapping.
#pragma once

#include <optional>

#include "io/cnm/kernel_template.h"
#include "io/files.h"
#include "io/options.h"
#include "mapper/cnm/estimate_kernel.h"
#include "model/cnm/ir.h"

namespace nestor::app::cnm_space {

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
};

io::Result<KernelInput> read_kernel(const std::string& path_or_name, const io::RunOptions& options,
                                    const cnm::System& system);

/// The built-in kernels as the mapper asks for them.
cnm::Library shipped_library();

/// The map or maps of --mapping; without it, one unit gets everything.
io::Result<cnm::Mapping> read_mapping(const io::RunOptions& options, const cnm::Kernel& kernel,
                                      const cnm::System& system);

}  // namespace nestor::app::cnm_space
