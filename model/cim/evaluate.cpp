#include "model/cim/evaluate.h"

#include <algorithm>

#include "model/loopnest/rules/nest_tiles.h"

namespace nestor::cim {
namespace {

// Transfer between a used memory (`to`) and the next used memory outward (`from`): docs/models/cim.md,
// sections 5 and 7.
struct Transfer {
  bool present = false;
  bool doubled = false;
  Int cycles = 0;    // T of eq. (5.1)
  Int times = 1;     // number of tiles moved
  Int distinct = 1;  // number of different tiles
};

// Transfers in the slot of one loop, per operand.
using Slot = std::array<Transfer, operand_count>;

class Evaluator {
 public:
  /// Transfers through ports that are not in `timed` take no time. Without a set, all transfers take time.
  Evaluator(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
            const PortSet* timed = nullptr)
      : layer_(layer), machine_(machine), mapping_(mapping), timed_(timed), tiles_(layer, machine, mapping) {}

  CimEvaluation run() {
    result_.steps = 1;
    for (const Loop& loop : mapping_.loops) result_.steps *= loop.factor;
    result_.macs = product_of(layer_.bounds);
    for (const Operand operand : all_operands) walk_boundaries(operand);
    add_sizes();
    add_array_accesses();
    result_.fill_cycles = std::max(edge_cycles_[index_of(Operand::I)], edge_cycles_[index_of(Operand::W)]);
    result_.drain_cycles = edge_cycles_[index_of(Operand::O)];
    result_.miredo_cycles = miredo_latency();
    result_.stall_cycles = stall_latency();
    sum_energy();
    return result_;
  }

 private:
  void walk_boundaries(Operand operand) {
    std::size_t from = machine_.home(operand);
    for (std::size_t to = from + 1; to < machine_.memories.size(); ++to) {
      if (!tiles_.used(to, operand)) continue;
      add_boundary(operand, from, to);
      from = to;
    }
  }

  // Adds the transfers between two memories, by eqs. (5.1) and (7.1) to (7.4).
  void add_boundary(Operand operand, std::size_t from, std::size_t to) {
    const auto x = index_of(operand);
    const Memory& source = machine_.memories[from];
    const Memory& target = machine_.memories[to];
    const std::size_t begin = tiles_.content_begin(to, operand);
    const Int width = layer_.bits.of(operand, tiles_.reduction_outside(begin));  // b of eq. (5.2)
    // Equation (7.1).
    const Int unique = tiles_.tile(operand, begin, source.axes_above) * width;

    Transfer transfer{.present = true, .doubled = mapping_.double_buffered[to].contains(operand)};
    if (timed_ == nullptr || (*timed_)[from].contains(operand))
      transfer.cycles = ceil_divide(unique, source.bandwidth);
    for (std::size_t i = 0; i < begin; ++i) {
      transfer.times *= mapping_.loops[i].factor;
      if (layer_.is_relevant(mapping_.loops[i].dim, operand)) transfer.distinct *= mapping_.loops[i].factor;
    }
    if (begin == 0)
      edge_cycles_[x] = transfer.cycles;  // no loop in the home: a fill or a drain
    else
      slots_[begin - 1][x] = transfer;

    // Equation (7.2).
    const bool summed_above = operand == Operand::O && tiles_.reduced_above(target.axes_above);
    const Int copy_width = summed_above ? layer_.bits.partial_sum : width;
    const Int copies = tiles_.tile(operand, begin, target.axes_above) * copy_width *
                       tiles_.lanes(source.axes_above, target.axes_above);
    // Inward and outward transfers: eq. (7.3) for I and W, eq. (7.4) for O.
    const Int lanes = tiles_.lanes(0, source.axes_above);
    const auto inward =
        static_cast<double>(operand == Operand::O ? transfer.times - transfer.distinct : transfer.times);
    const double outward = operand == Operand::O ? static_cast<double>(transfer.times) : 0.0;
    const auto unique_bits = static_cast<double>(unique * lanes);
    const auto copied_bits = static_cast<double>(copies * lanes);
    result_.memory_energy_pj[from][x] +=
        unique_bits * (inward * source.read_energy + outward * source.write_energy);
    result_.memory_energy_pj[to][x] +=
        copied_bits * (inward * target.write_energy + outward * target.read_energy);

    result_.read_bits[from][x] =
        (operand == Operand::O ? transfer.times - transfer.distinct : transfer.times) * unique;
    if (operand == Operand::O) result_.write_bits[from][x] = transfer.times * unique;
  }

  // Adds the sizes of eq. (4.1) and the sum of eq. (4.3).
  void add_sizes() {
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands) {
        if (!tiles_.used(m, operand)) continue;
        result_.used[m].insert(operand);
        if (m == machine_.home(operand)) continue;
        const Int size = tiles_.size_bits(m, operand);
        result_.size_bits[m][index_of(operand)] = size;
        result_.usage_bits[m] += size * (mapping_.double_buffered[m].contains(operand) ? 2 : 1);
      }
  }

  // Adds the accesses of the innermost memories of I and O in every step and every instance, eq. (7.5).
  void add_array_accesses() {
    const auto accessed_bits = [&](std::size_t m, Operand operand, Int width) {
      const std::size_t axis = machine_.memories[m].axes_above;
      return static_cast<double>(tiles_.tile(operand, mapping_.loops.size(), axis) * width *
                                 tiles_.lanes(0, axis) * result_.steps);
    };
    const std::size_t input = machine_.innermost(Operand::I);
    result_.memory_energy_pj[input][index_of(Operand::I)] +=
        accessed_bits(input, Operand::I, layer_.bits.input) * machine_.memories[input].read_energy;
    const std::size_t output = machine_.innermost(Operand::O);
    const Memory& sums = machine_.memories[output];
    result_.memory_energy_pj[output][index_of(Operand::O)] +=
        accessed_bits(output, Operand::O, layer_.bits.partial_sum) * (sums.read_energy + sums.write_energy);
  }

  // Equations (6.1) to (6.5), from the innermost loop outward.
  Int miredo_latency() const {
    Int critical = machine_.mvm_cycles;                                 // M
    std::array<Int, operand_count> busy{critical, critical, critical};  // P
    for (std::size_t i = mapping_.loops.size(); i-- > 0;) {
      const Int n = mapping_.loops[i].factor;
      Int period = critical;  // L
      for (std::size_t x = 0; x < operand_count; ++x) {
        const Transfer& t = slots_[i][x];
        const Int c = t.doubled ? std::max(t.cycles, busy[x]) : t.cycles + busy[x];  // eq. (6.1)
        period = std::max(period, c);  // eq. (6.2); without a transfer, T = 0 and c = P
      }
      // Equation (6.3).
      for (std::size_t x = 0; x < operand_count; ++x) {
        const Transfer& t = slots_[i][x];
        const bool output = x == index_of(Operand::O);
        Int& p = busy[x];
        if (!t.present)
          p = period * (n - 1) + p;
        else if (!t.doubled)
          p = period * (output ? n - 1 : n - 2) + 2 * t.cycles + p;
        else if (!output)
          p = std::max(period * (n - 3) + 2 * t.cycles + std::max(t.cycles, p), t.cycles * n);
        else
          p = period * (n - 2) + t.cycles + std::max(t.cycles, period) + std::max(t.cycles, p);
      }
      critical = period * n;  // eq. (6.4)
    }
    // Equation (6.5).
    return std::max({busy[0], busy[1], busy[2]}) + result_.fill_cycles + result_.drain_cycles;
  }

  // Section 6b: eqs. (6.1) to (6.4) with the changes (6b.1) and (6b.2), and eq. (6b.3).
  Int stall_latency() const {
    Int critical = machine_.mvm_cycles;
    std::array<Int, operand_count> busy{critical, critical, critical};
    std::array<Int, operand_count> first = edge_cycles_;  // fill or drain plus one transfer of every slot
    Int steady = 0;
    for (std::size_t i = mapping_.loops.size(); i-- > 0;) {
      const Int n = mapping_.loops[i].factor;
      Int period = critical;
      std::array<Int, operand_count> moved{};  // T; for O, T' of eq. (6b.1)
      for (std::size_t x = 0; x < operand_count; ++x) {
        const Transfer& t = slots_[i][x];
        moved[x] = t.cycles;
        if (x == index_of(Operand::O)) moved[x] += ceil_divide(t.cycles * (t.times - t.distinct), t.times);
        period = std::max(period, t.doubled ? std::max(moved[x], busy[x]) : moved[x] + busy[x]);
      }
      for (std::size_t x = 0; x < operand_count; ++x) {
        const Transfer& t = slots_[i][x];
        const bool output = x == index_of(Operand::O);
        Int& p = busy[x];
        first[x] += t.cycles;
        if (!t.present)
          p = period * (n - 1) + p;
        else if (output)  // eq. (6b.2)
          p = period * (n - 1) + (t.doubled ? std::max(t.cycles, p) : moved[x] + p);
        else if (!t.doubled)
          p = period * (n - 2) + 2 * t.cycles + p;
        else
          p = std::max(period * (n - 3) + 2 * t.cycles + std::max(t.cycles, p), t.cycles * n);
      }
      steady += (n - 1) * period;
      critical = period * n;
    }
    // Equation (6b.3).
    return std::max(first[index_of(Operand::I)], first[index_of(Operand::W)]) + steady + machine_.mvm_cycles +
           first[index_of(Operand::O)];
  }

  // Equation (7.6) without leakage.
  void sum_energy() {
    result_.compute_energy_pj = static_cast<double>(result_.macs) * machine_.mac_energy;
    result_.energy_pj = result_.compute_energy_pj;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const double energy : result_.memory_energy_pj[m]) result_.energy_pj += energy;
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  const Mapping& mapping_;
  const PortSet* timed_;
  NestTiles tiles_;
  std::array<Slot, max_loops> slots_{};
  std::array<Int, operand_count> edge_cycles_{};  // fill_I, fill_W, drain_O
  CimEvaluation result_;
};

}  // namespace

CimEvaluation evaluate(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  return Evaluator(layer, machine, mapping).run();
}

Int cycles_through(const PortSet& timed, const LayerShape& layer, const Architecture& machine,
                   const Mapping& mapping, LatencyModel model) {
  return Evaluator(layer, machine, mapping, &timed).run().cycles(model);
}

}  // namespace nestor::cim
