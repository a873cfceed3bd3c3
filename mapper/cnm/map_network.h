// Maps the kernels of a network in their order, each with all threads. Kernels that differ in nothing but
// their names are searched once.
#pragma once

#include <span>
#include <vector>

#include "base/function_ref.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm {

/// For each kernel the first one like it, itself included.
std::vector<std::size_t> first_alike(std::span<const Kernel> kernels);

/// One result for each kernel, up to the first that has no mapping. `request` is that of a kernel;
/// `time_limit`, in seconds, is for all of them. `begins` is told of every kernel.
std::vector<MapResult> map_network(std::span<const Kernel> kernels, std::span<const std::size_t> alike,
                                   const System& system, const Library& library, MapRequest request,
                                   double time_limit, FunctionRef<void(std::size_t kernel)> begins);

}  // namespace nestor::cnm
