// Mapping space of HBM-PIM (docs/models/cnm.md, "Map"): all splits over channels, blocks and lanes, and for
// each split all blocks, orders, halves, layouts and numbers of vectors at a time. Splits are processed in
// the order of their bounds. A stream that several members share is run once.
#pragma once

#include <optional>

#include "base/status.h"
#include "model/cnm/search/map_space.h"

namespace nestor::cnm {

/// Selection of maps: all of them; only those with a stream of the vendor's library; or those that tile the
/// extents exactly, without the library's streams.
enum class ChannelSpace : std::uint8_t { whole, library, exact };

struct ChannelSearch {
  std::vector<MemberCost> members;  ///< legal members, best first, ties in the order of channels_precede()
  bool stopped = false;             ///< true if the search was stopped; the results are then not proved
  double bound = no_cost;           ///< if stopped: lower bound, in picoseconds, on members not listed
  std::uint64_t cuts = 0;
  std::uint64_t expanded = 0;   ///< number of members that bounds did not prune
  std::uint64_t estimates = 0;  ///< number of simulated streams
  std::string refusal;          ///< reason why nothing was searched, or empty
};

/// Returns the best `count` members with a cost of at most `limit`; without `count`, all such members.
ChannelSearch channel_maps(const Kernel& kernel, const System& system, ChannelSpace space,
                           std::optional<std::size_t> count, const StopSignal* stop = nullptr,
                           double limit = no_cost);

}  // namespace nestor::cnm
