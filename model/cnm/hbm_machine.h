// One channel of the HBM-PIM, to the cycle (docs/models/cnm.md, "The HBM-PIM machine"). What happens while a
// group of bursts goes through depends only on this group, the next, and the state of the banks relative to
// now: it is worked out once and remembered. Loops whose state comes round again are not walked through. So a
// stream's length costs next to nothing; sim/cnm holds a stepper that takes every cycle, and both agree.
#pragma once

#include <optional>

#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Why a cycle passed: a burst was issued; else refresh was due or running; else the head of the queue was a
/// register or mode row; else its bank was not open on its row; else a time had not come.
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
  Int cycles_simulated = 0;  ///< not remembered, not skipped
};

/// Nothing if more than `budget` groups have to be looked at.
std::optional<HbmRun> run_channel(const System& system, const Stream& stream, Int budget);

}  // namespace nestor::cnm
