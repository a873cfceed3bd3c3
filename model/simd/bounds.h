// Lower bounds on the copies of any schedule, each with the argument that proves it (docs/models/simd.md,
// section 4). They depend only on the netlist and the machine.
#pragma once

#include <string>

#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

struct LowerBound {
  std::uint32_t copies = 0;
  std::string argument;
};

/// Brief takes a few milliseconds. Thorough takes a fraction of a second, for bounds that may prove a
/// schedule.
enum class BoundEffort : std::uint8_t { brief, thorough };

/// Returns the best known bound, for gates that may be computed again (`recompute`) or not.
LowerBound lower_bound(const ScheduleProblem& problem, bool recompute = false,
                       BoundEffort effort = BoundEffort::brief, const Stop& stop = {});

/// Bound (4.1): an array full of inputs computes nothing, so each of its inputs that is read costs a copy.
/// Inputs of several arrays that must meet in one gate's history cost a copy for every array but one. Valid
/// with and without recomputation.
LowerBound input_bound(const ScheduleProblem& problem);
/// Bound (4.2): outputs that have no row in the arrays that hold inputs are in arrays that begin empty. They
/// are copied there, or computed there from copied values (model/simd/delivery.h).
LowerBound output_bound(const ScheduleProblem& problem, bool recompute = false,
                        BoundEffort effort = BoundEffort::brief, const Stop& stop = {});
/// Bound (4.3): values alive at one time beyond the rows next to the inputs (model/simd/alive_bound.h). Valid
/// only if every gate is computed once. `budget` counts nodes of its cuts.
LowerBound alive_bound(const ScheduleProblem& problem, std::uint64_t budget, const Stop& stop = {});
/// Returns e of (4.2), the outputs that cannot be in arrays that hold inputs. This is the maximum of bound
/// (4.2).
std::uint32_t outputs_elsewhere(const ScheduleProblem& problem);

}  // namespace nestor::simd
