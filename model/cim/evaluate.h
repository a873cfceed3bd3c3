// Cost of one mapping under the cim model (docs/models/cim.md, sections 4 to 8): sizes, transfers, both
// latency models, energy and traffic. The evaluation allocates no memory and cannot fail. It requires that
// admit() (search/admission.h) accepts the layer and the architecture, and that find_violation() (legality.h)
// finds no violation in the mapping, which must be canonical (canonical.h).
#pragma once

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::cim {

enum class LatencyModel : std::uint8_t { miredo, stall };

struct CimEvaluation {
  Int miredo_cycles = 0;
  Int stall_cycles = 0;
  Int fill_cycles = 0;   ///< max(fill_I, fill_W)
  Int drain_cycles = 0;  ///< drain_O

  double energy_pj = 0;          ///< without leakage
  double compute_energy_pj = 0;  ///< energy of the multiply-accumulates
  PerMemoryOperand<double> memory_energy_pj{};

  std::array<OperandSet, max_memories> used{};  ///< operands that use each memory
  PerMemoryOperand<Int> size_bits{};            ///< bits of the tile, not doubled; 0 in a home
  std::array<Int, max_memories> usage_bits{};   ///< bits of all tiles except homes; doubled tiles twice
  PerMemoryOperand<Int> read_bits{};            ///< bits that one instance sends inward
  PerMemoryOperand<Int> write_bits{};           ///< bits that one instance receives from inside

  Int steps = 0;  ///< iterations of all temporal loops
  Int macs = 0;   ///< product of the bounds

  Int cycles(LatencyModel model) const {
    return model == LatencyModel::miredo ? miredo_cycles : stall_cycles;
  }
  /// Returns the energy with leakage over the latency of `model`, eq. (7.6).
  double total_energy_pj(const Architecture& machine, LatencyModel model) const {
    return energy_pj + machine.leakage * static_cast<double>(cycles(model));
  }
  /// Returns the EDP, eq. (7.7).
  double edp(const Architecture& machine, LatencyModel model) const {
    return total_energy_pj(machine, model) * static_cast<double>(cycles(model));
  }
};

CimEvaluation evaluate(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

/// Set of ports. A port is a memory with an operand that moves between this memory and the next used memory
/// inward.
using PortSet = std::array<OperandSet, max_memories>;

/// Returns the latency that a mapping would have if only the transfers through the `timed` ports took time.
Int cycles_through(const PortSet& timed, const LayerShape& layer, const Architecture& machine,
                   const Mapping& mapping, LatencyModel model);

}  // namespace nestor::cim
