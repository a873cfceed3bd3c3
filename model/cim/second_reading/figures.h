// Independent recomputation of the cim model: every figure of a mapping (docs/models/cim.md, sections 4 to
// 8), to check the evaluator and the search. It shares only types with them and does not link model/cim.
//
// The evaluator builds tiles from the compute array outward, while this code divides the whole layer from the
// outside in. A tile is the layer's bounds divided by every loop and every axis outside it. The period of a
// loop is computed from all loops inside it at once, not from the period of the next inner loop. Traffic is
// one product per slot. Integers have 128 bits and energies are long double, so rounding and overflow are not
// shared either.
#pragma once

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/loopnest/second_reading/wide.h"

namespace nestor::verify {

struct CimFigures {
  Wide miredo_cycles = 0;
  Wide stall_cycles = 0;
  Wide fill_cycles = 0;   ///< the larger of the fills of I and W
  Wide drain_cycles = 0;  ///< drain of O

  long double energy_pj = 0;  ///< without leakage
  long double compute_energy_pj = 0;
  PerMemoryOperand<long double> memory_energy_pj{};

  std::array<OperandSet, max_memories> used{};
  PerMemoryOperand<Wide> size_bits{};           ///< bits of the tile, not doubled; 0 in a home
  std::array<Wide, max_memories> usage_bits{};  ///< bits of all tiles except homes; doubled tiles twice
  PerMemoryOperand<Wide> read_bits{};           ///< bits that one instance sends inward
  PerMemoryOperand<Wide> write_bits{};          ///< bits that one instance receives from inside

  Wide steps = 1;
  Wide macs = 1;

  /// Returns the energy with leakage over `cycles`, eq. (7.6). edp() returns the product of this energy and
  /// `cycles`, eq. (7.7).
  long double total_energy_pj(const Architecture& machine, Wide cycles) const;
  long double edp(const Architecture& machine, Wide cycles) const;
  /// Returns mu1 * latency - mu2 * (sum of index * size over used memories without homes), eq. (8.1).
  long double eq14(const Architecture& machine, Wide cycles, long double mu1, long double mu2) const;
};

/// Returns the default mu2 of `eq14`; 0 if every memory is a home or has unlimited capacity.
long double default_mu2(const Architecture& machine);

/// True if all bounds, strides, dilations, widths and the MVM cycles are positive and all figures of all
/// mappings fit 128 bits, as recompute() requires.
bool is_computable(const LayerShape& layer, const Architecture& machine);

/// Returns the latency that the mapping would have if only the transfers in `timed` took time: for each
/// memory, the operands that move between this memory and the next used memory inward.
Wide cycles_through(const std::array<OperandSet, max_memories>& timed, bool stall, const LayerShape& layer,
                    const Architecture& machine, const Mapping& mapping);

/// Returns all figures. The layer must be computable, and the mapping must satisfy the rules of rules.h.
CimFigures recompute(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::verify
