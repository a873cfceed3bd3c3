// Cycle-accurate model of one HBM-PIM channel (docs/models/cnm.md, "The HBM-PIM machine"). The behaviour
// during a group of bursts depends only on this group, the next group, and the state of the banks relative to
// the current cycle. It is therefore computed once and cached, and trips of a loop are skipped once its state
// recurs. As a result, the computing time hardly depends on the length of a stream. The stepper in sim/cnm
// simulates every cycle, and both models agree.
#pragma once

#include <optional>

#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Numbers of cycles by cause. The cause of a cycle is the first that applies: a burst was issued; refresh
/// was due or running; the first burst in the queue addressed a register or mode row; the bank of this burst
/// was not open on its row; a timing constraint was not met yet.
struct HbmCauses {
  Int column = 0;
  Int refresh = 0;
  Int mode = 0;
  Int row = 0;
  Int timing = 0;
  Int total() const { return column + refresh + mode + row + timing; }
  friend bool operator==(const HbmCauses&, const HbmCauses&) = default;
};

struct HbmRun {
  Int cycles = 0;
  HbmCauses causes;
  Int cycles_simulated = 0;  ///< number of cycles that were neither cached nor skipped
};

/// Runs a stream on one channel. Returns nothing if this needs more than `budget` groups, if a burst waits
/// forever, or if there are too many cycles to count.
std::optional<HbmRun> run_channel(const System& system, const Stream& stream, Int budget);

}  // namespace nestor::cnm
