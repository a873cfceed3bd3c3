// Baselines for comparison (docs/models/chip.md, section 7): sequential operators, a plain pipeline, copies
// chosen by dynamic programming or greedily (Poly-Schedule), and CIM-MLC's method, in two variants. The first
// variant follows the authors' code (balanced copies in a pipeline; finer levels fill the occupied cores).
// The second follows the text of the paper (operators are popped from segments, L0 and the digital unit limit
// copies, rows are remapped). The baselines prove nothing; the search starts from the best of them.
#pragma once

#include <array>
#include <optional>

#include "model/chip/method.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// All baselines, in the order in which they are tried and reported.
inline constexpr std::array<CompileMethod, 6> all_baselines = {
    CompileMethod::sequential,    CompileMethod::pipeline,     CompileMethod::duplication,
    CompileMethod::poly_schedule, CompileMethod::cim_mlc_code, CompileMethod::cim_mlc};

/// Returns the decisions of a baseline. `levels` affects only cim_mlc and cim_mlc_code. If `balanced` is
/// false, these two baselines use the copies of the dynamic program without balancing. Returns nothing if
/// `stop` ends the run, or if the table of the dynamic program would have more than 2^26 entries.
std::optional<Decisions> run_baseline(const ChipProblem& problem, CompileMethod baseline, Levels levels,
                                      bool balanced = true, const StopSource& stop = StopSource());

/// Returns decisions with one copy of every operator. Products run on the digital unit if it can multiply and
/// add.
std::vector<OperatorDecision> one_copy_each(const ChipProblem& problem);

/// Divides the operators, in order, into segments. A segment grows while one copy of each of its operators
/// fits.
std::vector<SegmentDecision> first_fit(const ChipProblem& problem, bool pipeline);

}  // namespace nestor::chip
