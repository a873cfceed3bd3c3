// Plan of a replay, derived from a mapping: the chain of buffers of each operand, the cycles of each
// transfer, and the loops that change tiles. Internal to sim; replay.h is the interface.
#pragma once

#include <optional>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::sim::cim {

/// A memory that an operand uses, other than its home. A separate port connects it to the operand's next
/// memory further out, from which it is filled or, for O, into which it is emptied.
struct Level {
  std::size_t memory = 0;
  std::size_t source = 0;
  /// Loops [0, first) of the plan are outside the level's content and change its tile.
  std::size_t first = 0;
  bool doubled = false;
  Int transfer = 0;   ///< T: cycles of one transfer (docs/models/cim.md, section 5)
  Int tile_bits = 0;  ///< bits of one buffer (section 4)
  Int tiles = 1;      ///< number of tiles that pass through the level
};
using Chain = FixedVector<Level, max_memories>;

/// A temporal loop, or several adjacent loops without events between them.
struct PlanLoop {
  Int iterations = 1;
  /// True if all iterations after the first revisit outputs. The flag is set only where a level of O depends
  /// on it, that is, outside the innermost content of O. Elsewhere, reductions are treated like other loops.
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

/// Derives the plan of a legal mapping. An illegal mapping is rejected only if its replay would read outside
/// arrays (`malformed`). `too_long` means that times could exceed 62 bits.
PlanResult make_plan(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::sim::cim
