// The cost of one mapping under the cim model (docs/models/cim.md, sections 4 to 8): sizes, transfers, both
// latency models, energy and traffic. No allocation, no failure: the layer and architecture passed admit()
// (search/admission.h), the mapping find_violation() (legality.h), and it is canonical (canonical.h).
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
  double compute_energy_pj = 0;  ///< the share of the multiply-accumulates
  PerMemoryOperand<double> memory_energy_pj{};

  std::array<OperandSet, max_memories> used{};  ///< which operands use a memory
  PerMemoryOperand<Int> size_bits{};            ///< undoubled; homes excepted
  std::array<Int, max_memories> usage_bits{};   ///< doubled, summed over operands; homes excepted
  PerMemoryOperand<Int> read_bits{};            ///< traffic that leaves this memory inward, one instance
  PerMemoryOperand<Int> write_bits{};           ///< traffic that enters it from inside

  Int steps = 0;  ///< iterations of all temporal loops
  Int macs = 0;   ///< product of the bounds

  Int cycles(LatencyModel model) const {
    return model == LatencyModel::miredo ? miredo_cycles : stall_cycles;
  }
  /// Energy with leakage over the latency of `model`, (7.6).
  double total_energy_pj(const Architecture& machine, LatencyModel model) const {
    return energy_pj + machine.leakage * static_cast<double>(cycles(model));
  }
  /// (7.7)
  double edp(const Architecture& machine, LatencyModel model) const {
    return total_energy_pj(machine, model) * static_cast<double>(cycles(model));
  }
};

CimEvaluation evaluate(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

/// Ports: per memory, the operands whose transfers between it and the next memory inward are meant.
using PortSet = std::array<OperandSet, max_memories>;

/// The latency if only the transfers through `timed` ports took time.
Int cycles_through(const PortSet& timed, const LayerShape& layer, const Architecture& machine,
                   const Mapping& mapping, LatencyModel model);

}  // namespace nestor::cim
