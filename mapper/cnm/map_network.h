// Mapper of a network's kernels. It maps them one after another, each with all threads. Kernels that differ
// only in their names are searched once.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm {

/// Returns, for each kernel, the index of the first kernel that is equal except for its name.
std::vector<std::size_t> first_alike(std::span<const Kernel> kernels);

/// Returns one result per kernel. `alike` is the result of first_alike(). `request` applies to each kernel,
/// and `time_limit` (in seconds) to all kernels together. `begins` is called before every kernel.
std::vector<MapResult> map_network(std::span<const Kernel> kernels, std::span<const std::size_t> alike,
                                   const System& system, const Library& library, MapRequest request,
                                   double time_limit, FunctionRef<void(std::size_t kernel)> begins);

}  // namespace nestor::cnm
