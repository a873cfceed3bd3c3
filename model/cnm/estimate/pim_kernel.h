// Estimates of kernels on HBM-PIM under a mapping: a stream of the vendor's library if a map uses one,
// otherwise a general stream, plus the host's share. The extents of a single map are padded.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Returns the library kernel that computes this kernel, or nothing if there is none.
std::optional<std::size_t> pim_kernel_of(const Kernel& kernel);

/// Work of each channel if a library kernel runs.
struct PimPlan {
  PimKernel kernel;
  Int partial_results = 0;  ///< number of partial results for the host, including those of lanes
  std::vector<Int> padded;  ///< extents, padded to whole tiles
};
/// Plan for a split of each dim over channels, or the reason why it does not fit.
struct PimPlanOutcome {
  std::optional<PimPlan> plan;
  std::string refusal;
};
PimPlanOutcome plan_channels(const Kernel& kernel, const std::vector<Int>& channels, const System& system);

/// Work of a channel under a map, and the remaining work of the host.
struct ChannelWork {
  std::optional<Stream> stream;
  std::string refusal;  ///< reason if there is no stream
  CnmMap map;           ///< with block, order and keys filled in
  Int partial_results = 0;
  std::vector<Int> padded;  ///< padded extents
};
/// Returns the work of a channel under a map without shape faults. If `alone`, the map is the only one; it
/// must cover the kernel's extents and may exceed them.
ChannelWork channel_work(const Kernel& kernel, const CnmMap& map, bool alone, const System& system);

/// Returns a note about padded extents and about elements that are treated as f16, or an empty string.
std::string channel_note(const Kernel& kernel, const std::vector<Int>& padded);

KernelEstimate estimate_on_channels(const Kernel& kernel, const CnmMapping& mapping, const System& system);

}  // namespace nestor::cnm
