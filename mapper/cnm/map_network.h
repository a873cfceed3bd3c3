// Mapper of the kernels of a network, in their order, each with all threads. Kernels that differ only in
// their names are searched once.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm {

/// Returns the index of the first equal kernel for each kernel.
std::vector<std::size_t> first_alike(std::span<const Kernel> kernels);

/// Returns one result for each kernel, up to the first without a mapping. `request` applies to each kernel;
/// `time_limit`, in seconds, to all of them together. `begins` is called for every kernel.
std::vector<MapResult> map_network(std::span<const Kernel> kernels, std::span<const std::size_t> alike,
                                   const System& system, const Library& library, MapRequest request,
                                   double time_limit, FunctionRef<void(std::size_t kernel)> begins);

}  // namespace nestor::cnm
