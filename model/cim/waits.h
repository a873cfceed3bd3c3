// Breakdown of a mapping's cycles: computing, and waiting for each port (a memory and an operand that
// moves between it and the next memory inward). Transfers overlap, so blame is given in an order: first to
// the port that would hold an otherwise ideal machine up most, then to the one that adds most to that, and so
// on. The parts add up to the latency, whatever the latency model.
#pragma once

#include "model/cim/evaluate.h"

namespace nestor::cim {

struct Wait {
  std::size_t memory = 0;
  Operand operand = Operand::I;
  Int cycles = 0;
};

struct SpentCycles {
  Int compute = 0;  ///< matrix-vector products, one after another
  FixedVector<Wait, max_memories * operand_count>
      waits;  ///< in the order of blame, until the latency is reached
};

/// Preconditions as for evaluate().
SpentCycles spent_cycles(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                         LatencyModel model);

}  // namespace nestor::cim
