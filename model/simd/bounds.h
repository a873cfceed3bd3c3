// Lower bounds on the copies any schedule needs, each with the argument that proves it (docs/models/simd.md,
// section 4). They look at the netlist and the machine only.
#pragma once

#include <string>

#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

struct LowerBound {
  std::uint32_t copies = 0;
  std::string argument;
};

/// Brief: a few milliseconds; thorough: a fraction of a second, for when the bound may prove a schedule.
enum class BoundEffort : std::uint8_t { brief, thorough };

/// The best bound we know, where gates may be computed again (`recompute`) or not.
LowerBound lower_bound(const ScheduleProblem& problem, bool recompute = false,
                       BoundEffort effort = BoundEffort::brief, const Stop& stop = {});

/// (4.1): an array full of inputs computes nothing, so each of its inputs that is read costs a copy; and
/// inputs of several arrays that must meet in one gate's history cost a copy for every array but one. With
/// recomputation or without.
LowerBound input_bound(const ScheduleProblem& problem);
/// (4.2): outputs that find no row in the arrays that hold inputs lie in arrays that begin empty, where they
/// are copied to or computed from what is (model/simd/delivery.h).
LowerBound output_bound(const ScheduleProblem& problem, bool recompute = false,
                        BoundEffort effort = BoundEffort::brief, const Stop& stop = {});
/// (4.3): values alive at a time beyond the rows beside the inputs (model/simd/alive_bound.h), where every
/// gate is computed once. `budget`: nodes of its cuts.
LowerBound alive_bound(const ScheduleProblem& problem, std::uint64_t budget, const Stop& stop = {});
/// e of (4.2), outputs that cannot lie in arrays that hold inputs: as high as that bound can be.
std::uint32_t outputs_elsewhere(const ScheduleProblem& problem);

}  // namespace nestor::simd
