// Generation of the tensor and operator lines of a program. Private to program/.
#pragma once

#include "model/chip/evaluate.h"
#include "model/chip/program/program.h"

namespace nestor::chip_program {

/// Adds the lines to `program`. `addresses` has one entry per tensor of the network.
void declare(const chip::ChipProblem& problem, const chip::Decisions& decisions,
             const chip::ChipEvaluation& evaluation, const std::vector<Int>& addresses, Program& program);

}  // namespace nestor::chip_program
