// The mapping space of HBM-PIM (docs/models/cnm.md, "Map"): every cut over channels, blocks and lanes, and in
// each cut every block, order, half, layout and number of vectors at a time. Cuts are taken in the order of
// their bounds, and streams that several members share are run once.
#pragma once

#include <optional>

#include "base/status.h"
#include "model/cnm/search/map_space.h"

namespace nestor::cnm {

/// `exact`: as `whole`, but of maps that tile the extents exactly, without the library's streams.
enum class ChannelSpace : std::uint8_t { whole, library, exact };

struct ChannelSearch {
  std::vector<MemberCost> members;  ///< legal, best first, ties in that order
  bool stopped = false;             ///< what is said of members is not proved
  double bound = no_cost;           ///< of all that are not among them, in picoseconds
  std::uint64_t cuts = 0;
  std::uint64_t expanded = 0;   ///< members that bounds did not close
  std::uint64_t estimates = 0;  ///< streams run
  std::string refusal;          ///< why there is no member
};

/// The best `count` members, or all of them, that cost at most `limit`.
ChannelSearch channel_maps(const Kernel& kernel, const System& system, ChannelSpace space,
                           std::optional<std::size_t> count, const StopSignal* stop = nullptr,
                           double limit = no_cost);

}  // namespace nestor::cnm
