// Work of the verbs of the cnm space: a system and one kernel or the layers of a network, each with its
// mapping. The work is read from --arch and an input, or from a result file, which contains all of these
// parts.
#pragma once

#include "app/cnm/kernel_input.h"

namespace nestor::app::cnm_space {

using report::KernelTask;
using report::KernelWork;

io::Result<KernelWork> read_work(const io::RunOptions& options, io::Verb verb);

/// Reads one kernel, or those layers of a network that the system can run, without mappings.
io::Result<KernelWork> read_kernels(const io::RunOptions& options);

}  // namespace nestor::app::cnm_space
