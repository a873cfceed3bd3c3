// Plan of a replay, made from a mapping: the chain of buffers of each operand, the cycles of each transfer,
// and the loops between which tiles change. Internal to sim; replay.h is the interface.
#pragma once

#include <optional>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::sim::cim {

/// A used memory other than the home. It is filled from the next used memory further out (or, for O, emptied
/// into it) over a separate port.
struct Level {
  std::size_t memory = 0;
  std::size_t source = 0;
  std::size_t first = 0;  ///< loops [0, first) of the plan are outside its content and change its tile
  bool doubled = false;
  Int transfer = 0;   ///< T: cycles of one transfer (docs/models/cim.md, section 5)
  Int tile_bits = 0;  ///< bits of one buffer (section 4)
  Int tiles = 1;      ///< number of tiles that pass through it
};
using Chain = FixedVector<Level, max_memories>;

/// A temporal loop, or several neighbouring loops without events between them.
struct PlanLoop {
  Int iterations = 1;
  /// Iterations above 0 revisit outputs. It is set only where this matters to a level of O, which is outside
  /// the innermost content of O. Elsewhere, reductions are treated like other loops.
  bool revisits = false;
};

struct Plan {
  FixedVector<PlanLoop, max_loops> loops;  ///< outermost first
  std::array<Chain, operand_count> chains;
  Int mvm_cycles = 1;
  Int steps = 1;

  const Chain& chain(Operand operand) const { return chains[index_of(operand)]; }
};

enum class PlanFailure : std::uint8_t { malformed, too_long };

struct PlanResult {
  std::optional<Plan> plan;
  PlanFailure failure = PlanFailure::malformed;
};

/// Makes the plan of a legal mapping. Illegal ones are refused only if the replay would read outside its
/// arrays (`malformed`) or exceed 62 bits of time (`too_long`).
PlanResult make_plan(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::sim::cim
