// Baselines for comparison (docs/models/chip.md, section 7): operators one after another, a plain pipeline,
// copies by dynamic programming or greedily (Poly-Schedule), and CIM-MLC's method. The last one has two
// variants. The first follows the authors' code (pipelined copies, balanced; finer levels fill the occupied
// cores). The second follows the text of the paper (segments popped, copies limited by L0 and the digital
// unit, rows remapped). The baselines prove nothing; the search starts from the best of them.
#pragma once

#include <array>
#include <optional>

#include "model/chip/method.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// All baselines, in the order in which they are tried and written.
inline constexpr std::array<CompileMethod, 6> all_baselines = {
    CompileMethod::sequential,    CompileMethod::pipeline,     CompileMethod::duplication,
    CompileMethod::poly_schedule, CompileMethod::cim_mlc_code, CompileMethod::cim_mlc};

/// `levels` affects only cim_mlc and cim_mlc_code. If `balanced` is false, their copies stay as the dynamic
/// program chose them. Returns nothing if stopped, or if the table of the dynamic program would exceed its
/// limit (2^26 entries) because the chip has too many cores.
std::optional<Decisions> run_baseline(const ChipProblem& problem, CompileMethod baseline, Levels levels,
                                      bool balanced = true, const StopSource& stop = StopSource());

/// Returns one copy of every operator, with products on the digital unit if the chip can multiply and add
/// there.
std::vector<OperatorDecision> one_copy_each(const ChipProblem& problem);

/// Returns segments that take operators in order as long as one copy of each fits.
std::vector<SegmentDecision> first_fit(const ChipProblem& problem, bool pipeline);

}  // namespace nestor::chip
