// Kernels on HBM-PIM: which of the library's streams a kernel is, how many tiles of each channel a map gives
// it, and its time. Extents are padded to whole tiles.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::cnm {

/// The library kernel that computes this; nothing if none does.
std::optional<std::size_t> pim_kernel_of(const Kernel& kernel);

/// What a cut over channels gives each of them.
struct PimPlan {
  PimKernel kernel;
  Int partial_results = 0;  ///< for the host, lanes included
  std::vector<Int> padded;  ///< extents in whole tiles
};
/// `channels`: parts of each dim. A refusal if it does not fit.
struct PimPlanOutcome {
  std::optional<PimPlan> plan;
  std::string refusal;
};
PimPlanOutcome plan_channels(const Kernel& kernel, const std::vector<Int>& channels, const System& system);

KernelEstimate estimate_on_channels(const Kernel& kernel, const CnmMapping& mapping, const System& system);

}  // namespace nestor::cnm
