// Least costs of transfers between cores (docs/models/chip.md (8.4)) in a network that lies on the chip
// in one segment: what every placement in the order of the operators pays on the way into each.
#pragma once

#include <vector>

#include "model/chip/search/options.h"

namespace nestor::chip {

/// The least cost from `from_cores` cores to `to_cores` cores behind them with `between` cores or more in
/// between, wherever `before` cores or more precede them and `after` or more follow.
Int least_transfer(const ChipMachine& machine, Int before, Int from_cores, Int between, Int to_cores,
                   Int after);

/// The options of a single segment whose schedule takes at most `latest` cycles, with the least transfer that
/// each operator waits for in its `in`. Every other schedule takes more, so the bound that follows from them
/// is one on all schedules that are no later. `table` is a relaxation without transfers; a stop leaves the
/// bound weaker.
OptionTable with_transfers(const ChipProblem& problem, const OptionTable& table, Int latest,
                           const StopSource& stop);

}  // namespace nestor::chip
