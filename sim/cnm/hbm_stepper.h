// Cycle-by-cycle simulation of one HBM-PIM channel by the rules of docs/models/cnm.md: banks, modes, refresh,
// the queue and its fences. It shares the types of streams with the machine of the estimate, but no rule. It
// is slow by design.
#pragma once

#include <functional>
#include <optional>

#include "model/cnm/hbm_machine.h"

namespace nestor::sim::cnm {

/// A command on the bus of the channel.
struct HbmEvent {
  Int cycle = 0;
  char command = ' ';  ///< 'R', 'W', 'A' (activate), 'P' (close) or 'F' (refresh)
  Int bank = 0;
  Int row = 0;
  Int column = 0;
};

/// Returns nothing if more than `limit` cycles pass.
std::optional<nestor::cnm::HbmRun> step_channel(const nestor::cnm::System& system,
                                                const nestor::cnm::Stream& stream, Int limit,
                                                const std::function<void(const HbmEvent&)>& observe = {});

}  // namespace nestor::sim::cnm
