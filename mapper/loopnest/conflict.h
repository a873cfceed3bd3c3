// Why a layer has no mapping: a memory that cannot hold even the smallest tile, or constraints that
// contradict each other or the machine. For the latter a smallest set is sought, by dropping constraints one
// at a time and keeping dropped what was not needed (a deletion filter): of what remains, every one matters.
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

/// One of the user's constraints, small enough to be dropped alone.
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
  std::size_t place = 0;  ///< the axis or memory
  Dim dim = Dim::N;
  Operand operand = Operand::I;
};

/// A memory whose operands need `needed` bits for a single element each.
struct Shortage {
  std::size_t memory = 0;
  Int needed = 0;
};

struct Conflict {
  std::vector<Shortage> shortages;  ///< if not empty, no mapping exists whatever is fixed
  std::vector<FixedItem> items;     ///< otherwise a conflicting set of constraints
  bool minimal = true;              ///< false: a limit left open whether some of them are needed
};

/// How a search for any mapping under `constraints` ends: optimal or gap_reached where there is one.
using Feasibility = std::function<Status(const Constraints& constraints)>;

/// No mapping of `layer` onto `machine` was found to keep to `constraints`.
Conflict least_conflict(const LayerShape& layer, const Hierarchy& machine, const Constraints& constraints,
                        const Feasibility& feasibility);

/// The same of a space's request, by the space's search for one layer. It may stop at its first mapping.
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
