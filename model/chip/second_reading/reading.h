// The second reading of the chip model: whether decisions are legal and every figure of their cost
// (docs/models/chip.md, sections 3 to 6), worked out again to check what the evaluator and the search claim.
// It shares types with them (machine, network, decisions, evaluation) and no code: a test looks at what these
// files include.
//
// Where the evaluator steps through rows, this reading takes the rows of a lane together: a row starts at the
// latest time that any row of its lane before it, or itself, could have started, put off by the rows between.
// Integers are 128 bits wide and energies long double, so that no rounding or wrap-around is shared either.
#pragma once

#include <string>
#include <vector>

#include "model/chip/decisions.h"
#include "model/chip/evaluation.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip_reading {

__extension__ using Wide = __int128;

/// Every broken rule as a sentence with its numbers; empty: legal. The machine and the network are admitted
/// (model/chip/problem.h).
std::vector<std::string> broken_rules(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                                      const chip::Decisions& decisions);

/// All figures of legal decisions.
chip::ChipEvaluation recompute(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                               const chip::Decisions& decisions);

}  // namespace nestor::chip_reading
