// Plan of a replay, from a mapping: the chain of buffers of each operand, how long each transfer
// takes, and the loops between which tiles change. Internal to sim; replay.h is the interface.
#pragma once

#include <optional>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::sim::cim {

/// A used memory other than the home, filled from (or, for O, emptied into) the next used memory outward over
/// a port of its own.
struct Level {
  std::size_t memory = 0;
  std::size_t source = 0;
  std::size_t first = 0;  ///< loops [0, first) of the plan are outside its content: it changes tile with them
  bool doubled = false;
  Int transfer = 0;   ///< T: cycles of one transfer (docs/models/cim.md, section 5)
  Int tile_bits = 0;  ///< of one buffer (section 4)
  Int tiles = 1;      ///< how many tiles pass through it
};
using Chain = FixedVector<Level, max_memories>;

/// A temporal loop, or several neighbours between which nothing happens.
struct PlanLoop {
  Int iterations = 1;
  /// Iterations above 0 revisit outputs. Set only where some level of O can tell (outside the innermost
  /// content of O); elsewhere a reduction is a loop like any other.
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

/// Reads a mapping. It must be legal to mean something; what is checked here is only what keeps
/// the replay from reading outside its arrays (`malformed`) or beyond 62 bits of time (`too_long`).
PlanResult make_plan(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::sim::cim
