// A kernel inside a result, so that the result needs no other file. MLIR and llvcnm are stored as text.
// Assembly is stored as the list of items that it reduces to, ["slots", 240] or ["loop", 16, [...]]. A stored
// kernel gives the same estimate when it is read back. A result is read as the work of its verb.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

io::Json source_json(const KernelInput& input, const cnm::System& system);

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system);

/// Reads one kernel of a result with its mapping, or with the mapping of this rank in its list of best
/// mappings.
io::Result<KernelTask> read_kernel_entry(const io::Node& node, const cnm::System& system, Int rank = 1);

/// True if an input is a result of this space.
bool is_kernel_result(const std::string& path);

/// Reads the system, kernels and mappings of a result, but not its figures.
io::Result<KernelWork> read_kernel_result(const std::string& path, Int rank = 1);

}  // namespace nestor::report
