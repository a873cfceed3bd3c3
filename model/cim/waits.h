// Breakdown of a mapping's cycles: computing, and waiting for each port (a memory and an operand that moves
// between it and the next used memory inward). Transfers overlap, so cycles are attributed in order: first to
// the port that delays an otherwise ideal machine most, then to the port that adds most to this delay, and so
// on. The parts add up to the latency for every latency model.
#pragma once

#include "model/cim/evaluate.h"

namespace nestor::cim {

struct Wait {
  std::size_t memory = 0;
  Operand operand = Operand::I;
  Int cycles = 0;
};

struct SpentCycles {
  Int compute = 0;  ///< cycles of all matrix-vector products in sequence
  FixedVector<Wait, max_memories * operand_count>
      waits;  ///< in order of attribution; the list ends when the parts add up to the latency
};

/// Returns the breakdown. The preconditions are those of evaluate().
SpentCycles spent_cycles(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                         LatencyModel model);

}  // namespace nestor::cim
