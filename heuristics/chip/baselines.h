// Methods to compare with (docs/models/chip.md, section 7): operators one after another, a plain pipeline,
// copies by dynamic programming or greedily (Poly-Schedule), and CIM-MLC's method: as the authors' code has
// it (pipelined copies, balanced; finer levels fill the cores they take), and as the paper's text has it
// (segments popped, copies limited by L0 and the digital unit, rows remapped). They prove nothing; the search
// starts from the best of them.
#pragma once

#include <array>
#include <optional>

#include "model/chip/method.h"
#include "model/chip/problem.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

/// In the order in which they are tried and written.
inline constexpr std::array<CompileMethod, 6> all_baselines = {
    CompileMethod::sequential,    CompileMethod::pipeline,     CompileMethod::duplication,
    CompileMethod::poly_schedule, CompileMethod::cim_mlc_code, CompileMethod::cim_mlc};

/// `levels` matter to cim_mlc and cim_mlc_code only. `balanced` false leaves their copies as the dynamic
/// program gave them. Nothing if the chip has so many cores that the program's table would not fit (2^26
/// entries), or if stopped.
std::optional<Decisions> run_baseline(const ChipProblem& problem, CompileMethod baseline, Levels levels,
                                      bool balanced = true, const StopSource& stop = StopSource());

/// One copy of every operator; products on the digital unit, where the chip can multiply and add.
std::vector<OperatorDecision> one_copy_each(const ChipProblem& problem);

/// Segments that take operators in order as long as one copy of each fits.
std::vector<SegmentDecision> first_fit(const ChipProblem& problem, bool pipeline);

}  // namespace nestor::chip
