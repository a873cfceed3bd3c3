// The second reading of the cim model: every figure of a mapping (docs/models/cim.md, sections 4 to 8) worked
// out again, to check what the evaluator and the search claim. It shares types with them and nothing else:
// this room does not link model/cim.
//
// Where the evaluator builds tiles up from the compute array outward, this reading takes the whole layer
// apart from the outside: a tile is what remains of the layer's bounds after dividing by every loop and every
// axis outside it; an iteration's length is written out as the largest of all transfer chains inside it;
// traffic is one product per slot. Integers are 128 bits wide and energies long double, so that no rounding
// or wrap-around is shared either.
#pragma once

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/loopnest/second_reading/wide.h"

namespace nestor::verify {

struct CimFigures {
  Wide miredo_cycles = 0;
  Wide stall_cycles = 0;
  Wide fill_cycles = 0;   ///< the larger of the I and W fills
  Wide drain_cycles = 0;  ///< of O

  long double energy_pj = 0;  ///< without leakage
  long double compute_energy_pj = 0;
  PerMemoryOperand<long double> memory_energy_pj{};

  std::array<OperandSet, max_memories> used{};
  PerMemoryOperand<Wide> size_bits{};           ///< undoubled; homes excepted
  std::array<Wide, max_memories> usage_bits{};  ///< doubled, over operands; homes excepted
  PerMemoryOperand<Wide> read_bits{};           ///< leaving this memory inward, one instance
  PerMemoryOperand<Wide> write_bits{};          ///< entering it from inside

  Wide steps = 1;
  Wide macs = 1;

  /// Energy with leakage over `cycles`, (7.6), and its product with them, (7.7).
  long double total_energy_pj(const Architecture& machine, Wide cycles) const;
  long double edp(const Architecture& machine, Wide cycles) const;
  /// (8.1): mu1 * latency - mu2 * sum of index * size over used memories but homes.
  long double eq14(const Architecture& machine, Wide cycles, long double mu1, long double mu2) const;
};

/// The default mu2 of `eq14`; 0 when no memory counts.
long double default_mu2(const Architecture& machine);

/// True when no figure of any mapping of this layer can leave 128 bits (nor a size 64): what recompute()
/// asks.
bool is_computable(const LayerShape& layer, const Architecture& machine);

/// The latency if transfers took time only between the memories of `timed` (and of these only those of its
/// operands) and what lies inward of them.
Wide cycles_through(const std::array<OperandSet, max_memories>& timed, bool stall, const LayerShape& layer,
                    const Architecture& machine, const Mapping& mapping);

/// All figures. The layer is computable and the mapping keeps the rules of rules.h.
CimFigures recompute(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::verify
