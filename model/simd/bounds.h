// Lower bounds on the copies of any schedule, each with the argument of its proof (docs/models/simd.md,
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

/// `brief` takes a few milliseconds. `thorough` takes a fraction of a second; use it for bounds that may
/// prove a schedule optimal.
enum class BoundEffort : std::uint8_t { brief, thorough };

/// Returns the highest of the bounds below that are valid and not too expensive. If `recompute`, gates may be
/// computed more than once.
LowerBound lower_bound(const ScheduleProblem& problem, bool recompute = false,
                       BoundEffort effort = BoundEffort::brief, const Stop& stop = {});

/// Bound (4.1): an array full of inputs cannot compute, so each of its inputs that is read costs a copy. If
/// inputs of several arrays contribute to one gate, they cost a copy for every array except one. Valid with
/// and without recomputation.
LowerBound input_bound(const ScheduleProblem& problem);
/// Bound (4.2): outputs for which the arrays that hold inputs have no row are in arrays that begin empty.
/// These outputs are copied there, or computed there from copied values (model/simd/delivery.h).
LowerBound output_bound(const ScheduleProblem& problem, bool recompute = false,
                        BoundEffort effort = BoundEffort::brief, const Stop& stop = {});
/// Bound (4.3): values that are alive at one time, beyond the free rows of arrays with inputs
/// (model/simd/alive_bound.h). Valid only if every gate is computed once. `budget` limits AliveBound::work().
LowerBound alive_bound(const ScheduleProblem& problem, std::uint64_t budget, const Stop& stop = {});
/// Returns e of (4.2), the least number of outputs that cannot be in arrays that hold inputs. Bound (4.2) is
/// at most e.
std::uint32_t outputs_elsewhere(const ScheduleProblem& problem);

}  // namespace nestor::simd
