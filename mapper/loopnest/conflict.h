// Explanation of why a layer has no mapping: a memory that is too small for even the smallest tile, or
// constraints that contradict each other or the machine. In the latter case, a deletion filter finds a
// minimal set: constraints are dropped one at a time, and stay dropped if the conflict remains. Every
// remaining constraint is necessary.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "base/status.h"
#include "model/loopnest/constraints.h"
#include "model/loopnest/hierarchy.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/map_method.h"

namespace nestor::mapper {

/// A single user constraint, the unit that the filter drops.
struct FixedItem {
  enum class Kind : std::uint8_t {
    axis_dims,
    axis_factor,
    min_utilisation,
    must_use,
    must_not_use,
    outer_loops,
    stationary
  };
  Kind kind = Kind::axis_dims;
  std::size_t place = 0;  ///< axis or memory
  Dim dim = Dim::N;
  Operand operand = Operand::I;
};

/// A memory that is too small. It needs `needed` bits to store one element of each operand of which it is the
/// innermost memory.
struct Shortage {
  std::size_t memory = 0;
  Int needed = 0;
};

struct Conflict {
  std::vector<Shortage> shortages;  ///< if not empty, no mapping exists even without constraints
  std::vector<FixedItem> items;     ///< otherwise, a conflicting set of constraints
  bool minimal = true;              ///< false if a limit prevented checking that every item is necessary
};

/// Searches for any mapping under `constraints` and returns the status of the search: optimal or gap_reached
/// if it found a mapping, infeasible if there is none.
using Feasibility = std::function<Status(const Constraints& constraints)>;

/// Returns a minimal conflict in `constraints`, under which no mapping of `layer` onto `machine` exists.
Conflict least_conflict(const LayerShape& layer, const Hierarchy& machine, const Constraints& constraints,
                        const Feasibility& feasibility);

/// Returns a minimal conflict in the constraints of a request. The space's map_layer() tries subsets of the
/// constraints, and may stop at the first mapping that it finds.
template <class Machine, class Request, class Resources>
Conflict find_conflict(const LayerShape& layer, const Machine& machine, const Request& request,
                       const Resources& resources) {
  constexpr std::uint64_t enough_work = 200'000;
  Request any = request;
  if (!is_search(any.method)) any.method = MapMethod::optimal;
  any.objective = {};
  any.pareto = false;
  any.top = 1;
  any.relative_gap = std::numeric_limits<double>::infinity();
  any.work_limit = enough_work;
  return least_conflict(layer, machine, request.constraints, [&](const Constraints& constraints) {
    any.constraints = constraints;
    return map_layer(layer, machine, any, resources).status;
  });
}

}  // namespace nestor::mapper
