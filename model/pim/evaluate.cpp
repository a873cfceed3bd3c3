#include "model/pim/evaluate.h"

#include <algorithm>

#include "model/pim/boundaries.h"
#include "model/pim/rows/hybrid_rows.h"

namespace nestor::pim {
namespace {

class Evaluator {
 public:
  Evaluator(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping, RowCounter& rows)
      : layer_(layer), machine_(machine), mapping_(mapping), nest_(layer, machine, mapping), rows_(rows) {}

  PimEvaluation run() {
    result_.steps = nest_.steps();
    result_.macs = product_of(layer_.bounds);
    for (const Operand operand : all_operands) {
      for (const Boundary& boundary : nest_.boundaries(operand)) add_transfer(operand, boundary);
      add_steps(operand);
    }
    add_sizes();
    sum_latency();
    sum_energy();
    return result_;
  }

 private:
  const Memory& memory(std::size_t m) const { return machine_.memories[m]; }

  // Adds one operand's share of the cycles of a memory, eq. (3.6).
  void take_cycles(std::size_t m, Int cycles) {
    MemoryCycles& total = result_.memory_cycles[m];
    total.per_operand = std::max(total.per_operand, cycles);
    total.shared += cycles;
  }

  void add_transfer(Operand operand, const Boundary& move) {
    const auto x = index_of(operand);
    const bool output = operand == Operand::O;
    // Equations (3.1) and (3.2).
    const Int in = output ? move.times - move.distinct : move.times;
    const Int out = output ? move.times : 0;
    result_.bits[move.from][x] = (in + out) * move.unique;
    result_.out_bits[move.from][x] = out * move.unique;
    result_.times[move.to][x] = move.times;
    result_.source[move.to][x] = move.from;
    Int cycles = port_cycles(memory(move.from), in * move.unique, out * move.unique);
    if (memory(move.from).row > 0) {
      const Int activations = count_rows(operand, move);
      result_.row_activations[x] = activations;
      const Int opened = activations * nest_.tiles().lanes(0, memory(move.from).axes_above);
      result_.activation_energy_pj += static_cast<double>(opened) * memory(move.from).activation_energy;
      // Equation (3.5). The activation energy above follows eq. (4.4).
      cycles += activations * memory(move.from).activation_cycles;
    }
    take_cycles(move.from, cycles);

    // Equations (4.1) and (4.2).
    const Int lanes = nest_.tiles().lanes(0, memory(move.from).axes_above);
    const auto unique = static_cast<double>(move.unique * lanes);
    const auto copies = static_cast<double>(move.copies * lanes);
    const auto inward = static_cast<double>(in);
    const auto outward = static_cast<double>(out);
    result_.memory_energy_pj[move.from][x] +=
        unique * (inward * memory(move.from).read_energy + outward * memory(move.from).write_energy);
    result_.memory_energy_pj[move.to][x] +=
        copies * (inward * memory(move.to).write_energy + outward * memory(move.to).read_energy);
  }

  Int count_rows(Operand operand, const Boundary& move) const {
    const Layout& layout = mapping_.layouts[index_of(operand)];
    if (machine_.row_model == RowModel::hybrid) return hybrid_rows(layer_, machine_, mapping_, operand, move);
    return rows_.count(nest_.row_walk(operand, move), layout);
  }

  // Equations (3.3) and (4.3): the innermost memory serves every step. I and W are read once; O is read and
  // written at the width of partial sums.
  void add_steps(Operand operand) {
    const auto x = index_of(operand);
    const bool output = operand == Operand::O;
    const std::size_t m = machine_.innermost(operand);
    const Int width = layer_.bits.of(operand, true);
    const Int bits =
        nest_.tiles().tile(operand, mapping_.nest.loops.size(), memory(m).axes_above) * width * result_.steps;
    result_.bits[m][x] = output ? 2 * bits : bits;
    result_.out_bits[m][x] = output ? bits : 0;
    take_cycles(m, port_cycles(memory(m), bits, output ? bits : 0));
    const auto accessed = static_cast<double>(bits * nest_.tiles().lanes(0, memory(m).axes_above));
    result_.memory_energy_pj[m][x] +=
        accessed * (output ? memory(m).read_energy + memory(m).write_energy : memory(m).read_energy);
  }

  void add_sizes() {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands) {
        if (!nest_.used(m, operand)) continue;
        result_.used[m].insert(operand);
        if (m == machine_.home(operand)) continue;
        const Int size = nest_.tiles().size_bits(m, operand);
        result_.size_bits[m][index_of(operand)] = size;
        result_.usage_bits[m] += size;
      }
  }

  // Equations (3.6) and (3.7): with perfect overlap, the latency is the maximum over compute and all
  // memories.
  void sum_latency() {
    result_.compute_cycles = machine_.mvm_cycles * result_.steps + machine_.reduction_latency;
    result_.latency_cycles = result_.latency_per_operand = result_.latency_shared = result_.compute_cycles;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      if (result_.used[m].empty()) continue;
      MemoryCycles& cycles = result_.memory_cycles[m];
      cycles.per_operand += memory(m).access_latency;
      cycles.shared += memory(m).access_latency;
      result_.latency_cycles =
          std::max(result_.latency_cycles, memory(m).shared_port ? cycles.shared : cycles.per_operand);
      result_.latency_per_operand = std::max(result_.latency_per_operand, cycles.per_operand);
      result_.latency_shared = std::max(result_.latency_shared, cycles.shared);
    }
  }

  void sum_energy() {
    result_.compute_energy_pj = static_cast<double>(result_.macs) * machine_.mac_energy;
    result_.energy_pj = result_.compute_energy_pj;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const double energy : result_.memory_energy_pj[m]) result_.energy_pj += energy;
    result_.energy_pj += result_.activation_energy_pj;
  }

  const LayerShape& layer_;
  const PimMachine& machine_;
  const PimMapping& mapping_;
  PimNest nest_;
  RowCounter& rows_;
  PimEvaluation result_;
};

}  // namespace

// Equation (3.4).
Int port_cycles(const Memory& memory, Int in, Int out) {
  if (memory.read_bandwidth == 0 && memory.write_bandwidth == 0)
    return ceil_divide(in + out, memory.bandwidth);
  const PortRates rates = port_rates(memory);
  return ceil_divide(in, rates.read) + ceil_divide(out, rates.write);
}

double bandwidth_share(const Memory& memory, const PimEvaluation& evaluation, std::size_t m) {
  double moving = 0;
  int ports = 0;
  for (const Operand operand : all_operands) {
    moving += moving_cycles(memory, evaluation, m, operand);
    ports += static_cast<int>(evaluation.bits[m][index_of(operand)] > 0);
  }
  return moving /
         (static_cast<double>(evaluation.latency_cycles) * (memory.shared_port ? 1 : std::max(ports, 1)));
}

double lane_share(const PimMachine& machine, const PimMapping& mapping) {
  double share = 1;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    for (const Int factor : mapping.nest.spatial[a]) share *= static_cast<double>(factor);
    share /= static_cast<double>(machine.axes[a].size);
  }
  return share;
}

PimEvaluation evaluate(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                       RowCounter& rows) {
  return Evaluator(layer, machine, mapping, rows).run();
}

}  // namespace nestor::pim
