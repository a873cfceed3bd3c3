// Kernels on HBM-PIM under a mapping: a stream of the vendor's library where a map takes one, else a general
// stream, and the host's part. Extents of a single map are padded.
#pragma once

#include "model/cnm/estimate/estimate_kernel.h"
#include "model/cnm/stream.h"

namespace nestor::cnm {

/// The library kernel that computes this; nothing if none does.
std::optional<std::size_t> pim_kernel_of(const Kernel& kernel);

/// What a cut over channels gives each of them, where a library kernel runs.
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

/// What a map makes of a channel and leaves to the host.
struct ChannelWork {
  std::optional<Stream> stream;
  std::string refusal;  ///< where there is no stream
  CnmMap map;           ///< block, order and keys filled in
  Int partial_results = 0;
  std::vector<Int> padded;  ///< extents
};
/// `alone`: the map is the only one, and may reach beyond the kernel. Its shape has no fault.
ChannelWork channel_work(const Kernel& kernel, const CnmMap& map, bool alone, const System& system);

/// What is said of padded extents and of elements that are taken as f16; empty if nothing.
std::string channel_note(const Kernel& kernel, const std::vector<Int>& padded);

KernelEstimate estimate_on_channels(const Kernel& kernel, const CnmMapping& mapping, const System& system);

}  // namespace nestor::cnm
