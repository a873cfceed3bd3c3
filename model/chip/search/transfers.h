// Lower bounds on the costs of transfers between cores, docs/models/chip.md (8.4), for a network in one
// segment. They are valid for every placement that assigns cores in the order of the operators.
#pragma once

#include <vector>

#include "model/chip/search/options.h"

namespace nestor::chip {

/// Returns the least cost from `from_cores` cores to `to_cores` later cores with at least `between` cores in
/// between. At least `before` cores precede them, and at least `after` cores follow. Returns 0 if the cores
/// do not suffice or if there are too many placements to compare.
Int least_transfer(const ChipMachine& machine, Int before, Int from_cores, Int between, Int to_cores,
                   Int after);

/// Returns the options of a single segment, where `in` of each option includes the least transfer for which
/// the operator waits. Options with which every schedule takes more than `latest` cycles are dropped. Bounds
/// from the result are valid for all schedules of at most `latest` cycles. `table` contains the options
/// without transfers. After a stop, such bounds are weaker.
OptionTable with_transfers(const ChipProblem& problem, const OptionTable& table, Int latest,
                           const StopSource& stop);

}  // namespace nestor::chip
