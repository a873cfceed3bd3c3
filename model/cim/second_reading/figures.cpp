#include "model/cim/second_reading/figures.h"

#include "model/loopnest/second_reading/expansion.h"

namespace nestor::verify {
namespace {

/// Data moved between a station and the next station outward during the whole run (docs/models/cim.md,
/// sections 5 and 7).
struct Movement {
  Wide cycles = 0;       ///< T of one tile, eq. (5.1)
  Wide times = 1;        ///< number of tiles moved
  Wide distinct = 1;     ///< number of distinct tiles among them
  Wide unique_bits = 0;  ///< eq. (7.1)
  Wide copied_bits = 0;  ///< eq. (7.2), over all instances below one instance of the source
  Wide sources = 1;      ///< active instances of the source
};

Movement movement(Operand operand, const Station& source, const Station& target, const LayerShape& layer,
                  const Architecture& machine, const Mapping& mapping) {
  const Memory& from = machine.memories[source.memory];
  const Memory& to = machine.memories[target.memory];
  const Wide width = moved_width(operand, target, layer, mapping);
  const auto tile = [&](std::size_t axes_outside) {
    return elements(operand, remainder(layer, mapping, target.loops_outside, axes_outside), layer);
  };
  Movement result;
  result.unique_bits = tile(from.axes_above) * width;
  result.cycles = round_up_division(result.unique_bits, from.bandwidth);
  const bool partial_lanes = operand == Operand::O && reduces_across(layer, mapping, to.axes_above);
  result.copied_bits = tile(to.axes_above) * (partial_lanes ? layer.bits.partial_sum : width) *
                       lanes(mapping, from.axes_above, to.axes_above);
  for (std::size_t i = 0; i < target.loops_outside; ++i) {
    result.times *= mapping.loops[i].factor;
    if (layer.is_relevant(mapping.loops[i].dim, operand)) result.distinct *= mapping.loops[i].factor;
  }
  result.sources = lanes(mapping, 0, from.axes_above);
  return result;
}

/// Temporal loop in the latency models, with the transfer of each operand in its slot, if any.
struct Slot {
  struct Transfer {
    Wide cycles = 0;
    Wide returning = 0;  ///< eq. (6b.1): cycles of returning partial sums, averaged over all tiles and
                         ///< rounded up
    bool present = false;
    bool doubled = false;
  };
  Wide iterations = 1;
  std::array<Transfer, operand_count> transfer;
};

struct Timing {
  FixedVector<Slot, max_loops> slots;      ///< outermost first
  std::array<Wide, operand_count> once{};  ///< fill of I and W, drain of O
  Wide mvm = 1;
};

/// One latency model. L of a loop is computed from all loops inside it (longest_inside), not from M of the
/// next inner loop. `chain_[i][x]` is P_x of loops [i, n).
class Recursion {
 public:
  Recursion(const Timing& timing, bool stall) : timing_(timing), stall_(stall) {
    const std::size_t n = timing.slots.size();
    for (auto& p : chain_[n]) p = timing.mvm;
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t x = 0; x < operand_count; ++x) critical_[i] = larger(critical_[i], cost(i, x));
      length_[i] = longest_inside(i);
      for (std::size_t x = 0; x < operand_count; ++x) chain_[i][x] = next(i, x);
    }
  }

  /// Returns L of loop i.
  Wide length(std::size_t i) const { return length_[i]; }
  Wide chain(std::size_t i, std::size_t x) const { return chain_[i][x]; }

 private:
  static bool is_output(std::size_t x) { return x == index_of(Operand::O); }

  /// Returns T, or T' of eq. (6b.1) for O in the stall model.
  Wide moved(std::size_t i, std::size_t x) const {
    const auto& t = timing_.slots[i].transfer[x];
    return stall_ && is_output(x) ? t.cycles + t.returning : t.cycles;
  }

  /// Returns c_x of loop i, eq. (6.1).
  Wide cost(std::size_t i, std::size_t x) const {
    const auto& t = timing_.slots[i].transfer[x];
    const Wide inner = chain_[i + 1][x];
    if (!t.present) return inner;
    return t.doubled ? larger(moved(i, x), inner) : moved(i, x) + inner;
  }

  /// Returns L_i = max(M_{i+1}, c_i), eq. (6.2), expanded with M_j = L_j * N_j, eq. (6.4). Every inner slot j
  /// contributes its own critical cost once per iteration of the loops in between, and the array contributes
  /// one MVM per step.
  Wide longest_inside(std::size_t i) const {
    Wide best = 0;
    Wide repeats = 1;
    for (std::size_t j = i; j < timing_.slots.size(); ++j) {
      if (j > i) repeats *= timing_.slots[j].iterations;
      best = larger(best, critical_[j] * repeats);
    }
    return larger(best, timing_.mvm * repeats);
  }

  /// Returns P_x, eq. (6.3); for O in the stall model, eq. (6b.2).
  Wide next(std::size_t i, std::size_t x) const {
    const Slot& slot = timing_.slots[i];
    const auto& t = slot.transfer[x];
    const Wide n = slot.iterations;
    const Wide l = length_[i];
    const Wide p = chain_[i + 1][x];
    if (!t.present) return l * (n - 1) + p;
    if (is_output(x) && stall_) return l * (n - 1) + (t.doubled ? larger(t.cycles, p) : moved(i, x) + p);
    if (is_output(x) && t.doubled) return l * (n - 2) + t.cycles + larger(t.cycles, l) + larger(t.cycles, p);
    if (is_output(x)) return l * (n - 1) + 2 * t.cycles + p;
    if (t.doubled) return larger(l * (n - 3) + 2 * t.cycles + larger(t.cycles, p), t.cycles * n);
    return l * (n - 2) + 2 * t.cycles + p;
  }

  const Timing& timing_;
  bool stall_;
  std::array<Wide, max_loops> critical_{};
  std::array<Wide, max_loops> length_{};
  std::array<std::array<Wide, operand_count>, max_loops + 1> chain_{};
};

// Equation (6.5).
Wide miredo_cycles(const Timing& timing) {
  const Recursion recursion(timing, false);
  const auto [i, w, o] = timing.once;
  const Wide longest = larger(recursion.chain(0, 0), larger(recursion.chain(0, 1), recursion.chain(0, 2)));
  return longest + larger(i, w) + o;
}

// Equation (6b.3).
Wide stall_cycles(const Timing& timing) {
  const Recursion recursion(timing, true);
  std::array<Wide, operand_count> ends = timing.once;
  Wide steady = 0;
  for (std::size_t i = 0; i < timing.slots.size(); ++i) {
    steady += (timing.slots[i].iterations - 1) * recursion.length(i);
    for (std::size_t x = 0; x < operand_count; ++x) ends[x] += timing.slots[i].transfer[x].cycles;
  }
  const auto [first_input, first_weight, last_output] = ends;
  return larger(first_input, first_weight) + steady + timing.mvm + last_output;
}

class Bookkeeper {
 public:
  Bookkeeper(const LayerShape& layer, const Architecture& machine, const Mapping& mapping)
      : layer_(layer), machine_(machine), mapping_(mapping) {
    timed_.fill(OperandSet::of(Operand::I, Operand::W, Operand::O));
  }

  /// Sets the ports whose transfers take time. Transfers through all other ports take no time.
  void time_only(const std::array<OperandSet, max_memories>& timed) { timed_ = timed; }

  CimFigures run() {
    start();
    for (const Operand operand : all_operands) {
      const Stations stations = stations_of(operand, machine_, mapping_);
      for (std::size_t s = 0; s < stations.size(); ++s) {
        figures_.used[stations[s].memory].insert(operand);
        if (s > 0) {
          store(operand, stations, s);
          move(operand, stations[s - 1], stations[s]);
        }
      }
      access(operand, stations.back().memory);
    }
    finish();
    return figures_;
  }

 private:
  void start() {
    timing_.mvm = machine_.mvm_cycles;
    for (const Loop& loop : mapping_.loops) {
      timing_.slots.push_back({loop.factor, {}});
      figures_.steps *= loop.factor;
    }
    for (const Int bound : layer_.bounds) figures_.macs *= bound;
  }

  /// Adds the size of eq. (4.1) and its part of the sum of eq. (4.3).
  void store(Operand operand, const Stations& stations, std::size_t s) {
    const Station& station = stations[s];
    const Wide bits = stored_bits(operand, stations, s, layer_, machine_, mapping_);
    figures_.size_bits[station.memory][index_of(operand)] = bits;
    figures_.usage_bits[station.memory] += station.doubled ? 2 * bits : bits;
  }

  void move(Operand operand, const Station& source, const Station& target) {
    const std::size_t x = index_of(operand);
    Movement m = movement(operand, source, target, layer_, machine_, mapping_);
    if (!timed_[source.memory].contains(operand)) m.cycles = 0;
    const bool output = operand == Operand::O;
    const Wide back = output ? m.times - m.distinct : 0;
    if (target.loops_outside == 0) {
      timing_.once[x] = m.cycles;
    } else {
      timing_.slots[target.loops_outside - 1].transfer[x] = {
          m.cycles, round_up_division(m.cycles * back, m.times), true, target.doubled};
    }
    // Inward: all tiles of I and W, eq. (7.3), and the returning partial sums of O. Outward: every tile of O,
    // eq. (7.4).
    const Wide inward = output ? back : m.times;
    const Wide outward = output ? m.times : 0;
    figures_.read_bits[source.memory][x] += inward * m.unique_bits;
    figures_.write_bits[source.memory][x] += outward * m.unique_bits;
    const Memory& from = machine_.memories[source.memory];
    const Memory& to = machine_.memories[target.memory];
    spend(source.memory, x, inward * m.unique_bits * m.sources, from.read_energy);
    spend(source.memory, x, outward * m.unique_bits * m.sources, from.write_energy);
    spend(target.memory, x, inward * m.copied_bits * m.sources, to.write_energy);
    spend(target.memory, x, outward * m.copied_bits * m.sources, to.read_energy);
  }

  /// Adds the accesses to an operand's innermost memory in every step and every instance, eq. (7.5).
  void access(Operand operand, std::size_t innermost) {
    if (operand == Operand::W) return;
    const Memory& memory = machine_.memories[innermost];
    const WideExtents vector = remainder(layer_, mapping_, mapping_.loops.size(), memory.axes_above);
    const Wide count =
        elements(operand, vector, layer_) * lanes(mapping_, 0, memory.axes_above) * figures_.steps;
    if (operand == Operand::I) {
      spend(innermost, index_of(operand), count * layer_.bits.input, memory.read_energy);
    } else {
      spend(innermost, index_of(operand), count * layer_.bits.partial_sum,
            static_cast<long double>(memory.read_energy) + static_cast<long double>(memory.write_energy));
    }
  }

  void spend(std::size_t memory, std::size_t x, Wide bits, long double energy_per_bit) {
    figures_.memory_energy_pj[memory][x] += static_cast<long double>(bits) * energy_per_bit;
  }

  void finish() {
    figures_.miredo_cycles = miredo_cycles(timing_);
    figures_.stall_cycles = stall_cycles(timing_);
    figures_.fill_cycles = larger(timing_.once[index_of(Operand::I)], timing_.once[index_of(Operand::W)]);
    figures_.drain_cycles = timing_.once[index_of(Operand::O)];
    // Equation (7.6); total_energy_pj() adds leakage.
    figures_.compute_energy_pj =
        static_cast<long double>(figures_.macs) * static_cast<long double>(machine_.mac_energy);
    figures_.energy_pj = figures_.compute_energy_pj;
    for (const auto& memory : figures_.memory_energy_pj)
      for (const long double energy : memory) figures_.energy_pj += energy;
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  const Mapping& mapping_;
  std::array<OperandSet, max_memories> timed_;
  Timing timing_;
  CimFigures figures_;
};

}  // namespace

long double CimFigures::total_energy_pj(const Architecture& machine, Wide cycles) const {
  return energy_pj + static_cast<long double>(machine.leakage) * static_cast<long double>(cycles);
}

// Equation (7.7).
long double CimFigures::edp(const Architecture& machine, Wide cycles) const {
  return total_energy_pj(machine, cycles) * static_cast<long double>(cycles);
}

long double CimFigures::eq14(const Architecture& machine, Wide cycles, long double mu1,
                             long double mu2) const {
  long double locality = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Wide bits : size_bits[m])
      locality += static_cast<long double>(m) * static_cast<long double>(bits);
  return mu1 * static_cast<long double>(cycles) - mu2 * locality;
}

long double default_mu2(const Architecture& machine) {
  long double weight = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool is_home = false;
    for (const Operand operand : all_operands) is_home |= machine.home(operand) == m;
    if (!is_home && machine.memories[m].capacity != unlimited_capacity)
      weight += static_cast<long double>(m) * static_cast<long double>(machine.memories[m].capacity);
  }
  return weight > 0 ? 0.001L / weight : 0;
}

bool is_computable(const LayerShape& layer, const Architecture& machine) {
  long double most = 64;
  for (const Int bound : layer.bounds) {
    if (bound < 1) return false;
    most *= static_cast<long double>(bound);
  }
  for (const std::size_t axis : {0U, 1U}) {
    if (layer.stride[axis] < 1 || layer.dilation[axis] < 1) return false;
    most *= static_cast<long double>(layer.stride[axis]) + static_cast<long double>(layer.dilation[axis]);
  }
  Int widest = 1;
  for (const Int bits : {layer.bits.input, layer.bits.weight, layer.bits.output, layer.bits.partial_sum}) {
    if (bits < 1) return false;
    widest = bits > widest ? bits : widest;
  }
  if (machine.mvm_cycles < 1) return false;
  most *= static_cast<long double>(widest) * (static_cast<long double>(machine.mvm_cycles) + 4);
  return most < 0x1p120L;
}

Wide cycles_through(const std::array<OperandSet, max_memories>& timed, bool stall, const LayerShape& layer,
                    const Architecture& machine, const Mapping& mapping) {
  Bookkeeper bookkeeper(layer, machine, mapping);
  bookkeeper.time_only(timed);
  const CimFigures figures = bookkeeper.run();
  return stall ? figures.stall_cycles : figures.miredo_cycles;
}

CimFigures recompute(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  return Bookkeeper(layer, machine, mapping).run();
}

}  // namespace nestor::verify
