// Steps of CIM-MLC's method that the paper describes but the authors' code omits (docs/models/chip.md,
// section 7).
#pragma once

#include <cstddef>
#include <vector>

#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

inline bool is_array(const ChipProblem& problem, std::size_t i) {
  return problem.network.operators[i].kind == OperatorKind::array;
}

/// Removes copies that do not help because L0, or a digital operator that reads their results, is slower.
void limit_copies(const ChipProblem& problem, const SegmentDecision& segment,
                  std::vector<OperatorDecision>& operators);

/// Fig. 14 and 16 of CIM-MLC: replaces f copies by one copy whose rows are spread over f times as many
/// crossbars, if this takes no longer and needs no more cores. Each crossbar then has fewer rows to read.
void remap_rows(const ChipProblem& problem, Levels levels, std::vector<OperatorDecision>& operators);

/// Fig. 12 of CIM-MLC: operators pass on pixels instead of rows. The row parts of an operator are activated
/// in as many phases as possible without lengthening the schedule of its segment. Operators with the most
/// active crossbars come first. Returns false if stopped.
bool stagger(const ChipProblem& problem, Decisions& decisions, const StopSource& stop);

}  // namespace nestor::chip
