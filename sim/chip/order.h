// Proves from the addresses that a program's result depends on no order that it leaves open
// (docs/models/chip-program.md, "Order"): what `parallel` does at the same time touches different bytes and
// crossbars; rows that are open together do; and a row that reads what another thread of a pipelined segment
// writes waits for the row that writes it.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// The first pair of accesses in no order, as a sentence; nothing if there is none.
MaybeFault prove_order(const Program& program, const nestor::chip::ChipMachine& machine,
                       const WalkLimits& limits = {});

}  // namespace nestor::sim::chip
