// Independent recomputation of the chip model: the legality of decisions and every figure of their cost
// (docs/models/chip.md, sections 3 to 6). It checks the evaluator and the search, and shares types with them
// (machine, network, decisions, evaluation) but no code. A test checks the includes of these files.
//
// The evaluator schedules row after row, while this code computes the rows of a lane together. The start of
// row r of a lane is the maximum over all rows s <= r of the lane: the time when s is ready, plus the cycles
// of the rows s .. r - 1. Integers have 128 bits and energies are long double, so rounding and overflow are
// not shared either.
#pragma once

#include <string>
#include <vector>

#include "model/chip/decisions.h"
#include "model/chip/evaluation.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip_reading {

__extension__ using Wide = __int128;

/// Returns every broken rule as a sentence with numbers, or an empty list if the decisions are legal. Cores
/// and buffers are checked only if all other rules are satisfied. The machine and the network must have
/// passed admit() (model/chip/problem.h).
std::vector<std::string> broken_rules(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                                      const chip::Decisions& decisions);

/// Returns all figures of legal decisions.
chip::ChipEvaluation recompute(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                               const chip::Decisions& decisions);

}  // namespace nestor::chip_reading
