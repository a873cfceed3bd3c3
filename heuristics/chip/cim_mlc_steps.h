// Steps of CIM-MLC's method that the paper's text has and the authors' code lacks (docs/models/chip.md,
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

/// Copies that neither L0 nor a digital operator that reads them lets run faster go.
void limit_copies(const ChipProblem& problem, const SegmentDecision& segment,
                  std::vector<OperatorDecision>& operators);

/// Fig. 14 and 16 of CIM-MLC: the rows of f copies spread over f times as many crossbars, of which fewer rows
/// are read, where that takes no longer.
void remap_rows(const ChipProblem& problem, Levels levels, std::vector<OperatorDecision>& operators);

/// Fig. 12 of CIM-MLC: pixels instead of rows are handed over, and the row parts of an operator are activated
/// in as many phases as leave a segment's schedule as short as with one phase each. Operators with the most
/// active crossbars come first. False if stopped.
bool stagger(const ChipProblem& problem, Decisions& decisions, const StopSource& stop);

}  // namespace nestor::chip
