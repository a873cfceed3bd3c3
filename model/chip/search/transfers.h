// Least costs of transfers between cores, docs/models/chip.md (8.4), for a network in one segment. Every
// placement in the order of the operators has at least these costs on the input of each operator.
#pragma once

#include <vector>

#include "model/chip/search/options.h"

namespace nestor::chip {

/// Returns the least cost from `from_cores` cores to `to_cores` later cores with at least `between` cores in
/// between. At least `before` cores precede them, and at least `after` cores follow.
Int least_transfer(const ChipMachine& machine, Int before, Int from_cores, Int between, Int to_cores,
                   Int after);

/// Returns the options of a single segment for schedules of at most `latest` cycles. `in` of each option
/// includes the least transfer for which the operator waits. All other schedules are longer, so the resulting
/// bound is valid for all schedules that end by `latest`. `table` is a relaxation without transfers. A stop
/// results in a weaker bound.
OptionTable with_transfers(const ChipProblem& problem, const OptionTable& table, Int latest,
                           const StopSource& stop);

}  // namespace nestor::chip
