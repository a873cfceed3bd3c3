// Cycle-accurate model of one HBM-PIM channel (docs/models/cnm.md, "The HBM-PIM machine"). The behaviour
// during a group of bursts depends only on this group, the next one, and the state of the banks relative to
// the current cycle. It is therefore computed once and remembered. Loops whose state recurs are skipped. The
// time therefore hardly depends on a stream's length. The stepper in sim/cnm takes every cycle, and both
// agree.
#pragma once

#include <optional>

#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Cause of a cycle, the first that applies: a burst was issued; refresh was due or running; the head of the
/// queue was a register or mode row; its bank was not open on its row; a timing constraint was not met yet.
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
  Int cycles_simulated = 0;  ///< neither remembered nor skipped
};

/// Runs a stream on one channel. Returns nothing if that takes more than `budget` groups.
std::optional<HbmRun> run_channel(const System& system, const Stream& stream, Int budget);

}  // namespace nestor::cnm
