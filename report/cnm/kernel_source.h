// Kernels embedded in results, so that a result needs no other file. MLIR, llvcnm and streams are stored as
// text; programs from assembly are lists of items such as ["slots", 240] or ["loop", 16, [...]]. A kernel
// that is read back gives the same estimate. Reading a whole result yields the KernelWork of the run that
// wrote it.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

io::Json source_json(const KernelInput& input, const cnm::System& system);

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system);

/// Reads one kernel of a result, with the mapping at `rank` in its list of best mappings; rank 1 is the best.
io::Result<KernelTask> read_kernel_entry(const io::Node& node, const cnm::System& system, Int rank = 1);

/// True if the input is a result file and not a kernel.
bool is_kernel_result(const std::string& path);

/// Reads the system, kernels and mappings of a result, without its figures.
io::Result<KernelWork> read_kernel_result(const std::string& path, Int rank = 1);

}  // namespace nestor::report
