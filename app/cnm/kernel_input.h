// Kernels as inputs of the verbs of the cnm space: a file in any supported language, or a built-in kernel
// with given dimensions. Only the parts that do not depend on a mapping are read.
#pragma once

#include <optional>

#include "io/cnm/kernel_template.h"
#include "io/files.h"
#include "io/options.h"
#include "model/cnm/estimate/estimate_kernel.h"
#include "report/cnm/kernel_work.h"

namespace nestor::app::cnm_space {

using report::KernelInput;

io::Result<KernelInput> read_kernel(const std::string& path_or_name, const io::RunOptions& options,
                                    const cnm::System& system);

/// Refuses --conv direct on systems that cannot run the loops of a convolution.
io::MaybeError refuse_direct_form(const io::RunOptions& options, const cnm::System& system);

/// Reads the map or maps of --mapping. Without the option, a single unit does all the work.
io::Result<cnm::CnmMapping> read_mapping(const io::RunOptions& options, const cnm::Kernel& kernel,
                                         const cnm::System& system);

}  // namespace nestor::app::cnm_space
