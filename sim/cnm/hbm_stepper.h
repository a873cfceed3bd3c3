// Cycle-by-cycle simulation of one HBM-PIM channel (docs/models/cnm.md, "The HBM-PIM machine"): banks, modes,
// refresh, the queue and its fences. It shares the types of streams with the machine model of the estimate,
// but no rules. It is slow by design.
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

/// Returns the run of a stream, or nothing if the stream is not finished after `limit` cycles. `observe`, if
/// not empty, receives every command.
std::optional<nestor::cnm::HbmRun> step_channel(const nestor::cnm::System& system,
                                                const nestor::cnm::Stream& stream, Int limit,
                                                const std::function<void(const HbmEvent&)>& observe = {});

}  // namespace nestor::sim::cnm
