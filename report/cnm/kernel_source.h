// A kernel inside a result, so that the result stands alone: MLIR or llvcnm as text; what assembly came down
// to as a list of items, ["slots", 240] or ["loop", 16, [...]]. Read back, it gives the same estimate. A
// result is read as the work that its verb did.
#pragma once

#include <string>

#include "io/document.h"
#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

io::Json source_json(const KernelInput& input, const cnm::System& system);

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system);

/// Reads one kernel of a result, with its mapping or the one of this rank in its list of the best.
io::Result<KernelTask> read_kernel_entry(const io::Node& node, const cnm::System& system, Int rank = 1);

/// Whether an input is a result of this space.
bool is_kernel_result(const std::string& path);

/// System, kernels and mappings of a result; its figures are left out.
io::Result<KernelWork> read_kernel_result(const std::string& path, Int rank = 1);

}  // namespace nestor::report
