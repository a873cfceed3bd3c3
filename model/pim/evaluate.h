// Cost of a mapping on a PIM machine (docs/models/pim.md, sections 3 to 6): the bits that cross every
// memory's inner side, row activations, latency as the maximum over compute and all memories, and energy. The
// evaluation requires that admit() accepts the layer and the machine, and that find_violation() finds no
// violation in the mapping, which must be canonical.
#pragma once

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"
#include "model/pim/rows/row_counter.h"

namespace nestor::pim {

/// Cycles of one memory: if its operands move in parallel, and if they take turns.
struct MemoryCycles {
  Int per_operand = 0;
  Int shared = 0;
};

struct PimEvaluation {
  Int latency_cycles = 0;
  Int latency_per_operand = 0;
  Int latency_shared = 0;
  Int compute_cycles = 0;
  std::array<MemoryCycles, max_memories> memory_cycles{};
  std::array<Int, operand_count> row_activations{};
  std::array<OperandSet, max_memories> used{};
  PerMemoryOperand<Int> bits{};      ///< bits that cross a memory's inner side, per instance
  PerMemoryOperand<Int> out_bits{};  ///< the part of `bits` that is written outward
  PerMemoryOperand<Int> times{};     ///< per target memory: number of moves to or from the next used memory
                                     ///< outward
  PerMemoryOperand<std::size_t> source{};  ///< per target memory: index of the next used memory outward
  PerMemoryOperand<Int> size_bits{};       ///< bits of the tile; 0 in a home
  std::array<Int, max_memories> usage_bits{};
  double energy_pj = 0;
  double compute_energy_pj = 0;
  double activation_energy_pj = 0;
  PerMemoryOperand<double> memory_energy_pj{};
  Int steps = 1;
  Int macs = 1;

  double total_energy_pj(const PimMachine& machine) const {
    return energy_pj + machine.leakage * static_cast<double>(latency_cycles);
  }
  double edp() const { return energy_pj * static_cast<double>(latency_cycles); }
};

/// Bits per cycle of a memory's port in each direction, eq. (3.4): the separate rate of the direction if the
/// memory has one, otherwise the shared rate.
struct PortRates {
  Int read = 1;
  Int write = 1;
};
constexpr PortRates port_rates(const Memory& memory) {
  return {.read = memory.read_bandwidth != 0 ? memory.read_bandwidth : memory.bandwidth,
          .write = memory.write_bandwidth != 0 ? memory.write_bandwidth : memory.bandwidth};
}

/// Returns the cycles in which an operand moves `in` bits inward and `out` bits outward, without row
/// activations.
Int port_cycles(const Memory& memory, Int in, Int out);

/// Returns the unrounded cycles that an operand's bits take at the memory's full rate. Divided by the cycles
/// of the mapping, this is the share of a port's bandwidth that the operand uses.
inline double moving_cycles(const Memory& memory, const PimEvaluation& evaluation, std::size_t m,
                            Operand operand) {
  const PortRates rates = port_rates(memory);
  const Int out = evaluation.out_bits[m][index_of(operand)];
  const Int in = evaluation.bits[m][index_of(operand)] - out;
  return static_cast<double>(in) / static_cast<double>(rates.read) +
         static_cast<double>(out) / static_cast<double>(rates.write);
}

/// Returns the share of the bandwidth of memory `m` that the mapping uses, averaged over the ports of the
/// operands that use it.
double bandwidth_share(const Memory& memory, const PimEvaluation& evaluation, std::size_t m);
/// Returns the share of the lanes of all axes that the mapping uses.
double lane_share(const PimMachine& machine, const PimMapping& mapping);

PimEvaluation evaluate(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                       RowCounter& rows);

}  // namespace nestor::pim
