// Why a layer has no mapping: a memory that cannot hold even the smallest tile, or constraints that
// contradict each other or the machine. For the latter a smallest set is sought, by dropping constraints one
// at a time and keeping dropped what was not needed (a deletion filter): of what remains, every one matters.
#pragma once

#include <vector>

#include "mapper/cim/request.h"
#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"

namespace nestor::mapper {

/// One of the user's constraints, small enough to be dropped alone.
struct FixedItem {
  enum class Kind : std::uint8_t {
    axis_dims,
    axis_factor,
    min_utilisation,
    must_use,
    must_not_use,
    outer_loops
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

/// `layer` was found infeasible under `request`.
Conflict find_conflict(const LayerShape& layer, const Architecture& machine, const Request& request,
                       const Resources& resources);

}  // namespace nestor::mapper
