#include "check/pim/contract.h"

#include <algorithm>

#include "check/mapped_nest.h"
#include "check/pim/form.h"
#include "check/pim/nest.h"

namespace nestor::check::pim {
namespace {

std::string letter_of(Operand x) { return std::string(1, operand_letters[x]); }

// A layer on a machine, by a mapping whose nest breaks no rule.
struct Mapped {
  Mapped(const Layer& of_layer, const CheckedPimMachine& on_machine, MappedNest by_nest, Layouts in_layouts)
      : layer(of_layer),
        machine(on_machine),
        nest(std::move(by_nest)),
        layouts(in_layouts),
        claim({.per_energy = 1, .unit = machine.unit}, machine),
        lanes(layer, machine, nest.spatial),
        tiles({layer, machine, claim}, lanes),
        stations(nest.stations(machine)),
        held(held_bits(nest, stations, [&](Operand x, std::size_t s) { return stored_bits(x, s); })) {}

  const std::string& name(std::size_t memory) const { return machine.memories[memory].name; }
  /// Names an operand in a memory.
  std::string name(std::size_t memory, Operand x) const { return name(memory) + "/" + letter_of(x); }

  Int stored_bits(Operand x, std::size_t s) const {
    const Station& station = stations[x][s];
    return tiles.bits_of(x, nest.left(layer, station.outside), station.position,
                         nest.has_sums(stations[x], s));
  }

  const Layer& layer;
  const CheckedPimMachine& machine;
  const MappedNest nest;
  const Layouts layouts;
  const Claim claim;
  const PimLanes lanes;
  const CheckedPimNest tiles;
  const Stations stations;
  const MemoryBits held;
};

// The rules of the pim space, beside those of all nests.
class SpaceRules {
 public:
  explicit SpaceRules(const Mapped& mapped)
      : mapped_(mapped), nest_(mapped.nest), layer_(mapped.layer), machine_(mapped.machine) {}

  std::vector<std::string> broken() {
    faults_ = overfull(mapped_.held, machine_);
    check_dims();
    if (machine_.is_even) check_levels();
    for (const Operand x : operands)
      if (mapped_.tiles.port(x, 0).row > 0) check_rows(x);
    return faults_;
  }

 private:
  void fault(std::string sentence) { faults_.push_back(std::move(sentence)); }

  // Checks that a dimension is on at most one of the axes of dim_once.
  void check_dims() {
    for (std::size_t d = 0; d < dim_count; ++d) {
      std::string found;
      int axes = 0;
      for (std::size_t a = 0; a < machine_.axes.size(); ++a) {
        if (!machine_.once[a] || nest_.spatial[a][d] == 1) continue;
        found += (axes++ == 0 ? "" : " and ") + machine_.axes[a].name;
      }
      if (axes > 1)
        fault(sentence("dimension ", dim_letters[d], " has factors on ", found,
                       ", but only one of these axes may have one"));
    }
  }

  // Checks that the blocks result from one level for each memory (section 2). Of the possible starts of a
  // level, the outermost is best, since inner levels start there or further inside.
  void check_levels() {
    std::size_t begin = 0;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      while (begin <= nest_.loops.size() && !is_start(m, begin)) ++begin;
      if (begin > nest_.loops.size())
        return fault(
            sentence("blocks are uneven: no level of ", mapped_.name(m),
                     ", given the memories of the outer loops, yields the memories of its operands"));
    }
  }
  // True if a level that starts after `begin` loops gives the tiles of all operands that use the memory,
  // other than as their home. Irrelevant loops at the inner end of the outer block belong to the tile.
  bool is_start(std::size_t memory, std::size_t begin) const {
    return std::all_of(operands.begin(), operands.end(), [&](Operand x) {
      std::size_t outside = begin;
      while (outside > 0 && !is_relevant(nest_.loops[outside - 1].dim, x)) --outside;
      const auto& stations = mapped_.stations[x];
      return std::all_of(stations.begin() + 1, stations.end(), [&](const Station& station) {
        return station.memory != memory || station.outside == outside;
      });
    });
  }

  // Checks that rows hold an element, that the layout of W is not hwc, and that blocks divide the plane of I
  // or O in one DRAM.
  void check_rows(Operand x) {
    const Int row = mapped_.tiles.port(x, 0).row;
    const Int widest = x == O ? std::max(layer_.bits[O], layer_.partial_sum) : layer_.bits[x];
    if (row < widest)
      fault(sentence("a row of ", mapped_.name(machine_.chains[x][0]), " has ", row, " bits, an element of ",
                     operand_letters[x], " has ", widest));
    const auto& [kind, height, width] = mapped_.layouts[x];
    if (kind == Layout::hwc && x == W) fault("layout of W is hwc, but W has no height, width and channels");
    if (kind != Layout::row_aligned || x == W) return;
    const auto whole = mapped_.tiles.extents(mapped_.lanes.temporal, machine_.chains[x][0]);
    const auto size = box_of(layer_, x, whole);
    const auto check_block = [&](const char* what, Int block, Int plane) {
      if (plane % block != 0)
        fault(sentence("layout of ", operand_letters[x], ": blocks have a ", what, " of ", block,
                       ", the plane of ", plane));
    };
    check_block("height", height, size[2]);
    check_block("width", width, size[3]);
  }

  const Mapped& mapped_;
  const MappedNest& nest_;
  const Layer& layer_;
  const CheckedPimMachine& machine_;
  std::vector<std::string> faults_;
};

// The figures of a mapping that breaks no rule.
class Figures {
 public:
  explicit Figures(const Mapped& mapped) : mapped_(mapped), machine_(mapped.machine), uses_() {
    for (const Operand x : operands) {
      for (std::size_t s = 1; s < mapped_.stations[x].size(); ++s) add_transfer(x, s);
      add(mapped_.machine.chains[x].back(), x, mapped_.tiles.served(x));
    }
  }

  Json all() {
    add_cycles();
    Wide energy = compute_energy();
    for (const auto& uses : uses_)
      for (const Use& use : uses) energy = plus(energy, use.energy);
    for (const Operand x : operands) energy = plus(energy, opening_[x]);
    evaluation_["energy_pj"] = pj(energy);
    evaluation_["edp"] = pj(energy) * static_cast<double>(cycles_);
    for (const Operand x : operands) evaluation_["row_activations"][letter_of(x)] = opened_[x];
    add_energy();
    add_bits();
    evaluation_["utilisation"] = utilisation();
    for (const Operand x : operands) {
      Json& block = evaluation_["blocks"][letter_of(x)] = Json::array();
      for (const MappedLoop& loop : mapped_.nest.loops) block.push_back(mapped_.name(loop.at[x]));
    }
    const Wide total = plus(energy, times(machine_.leakage, Wide{cycles_}));
    return {{"latency_cycles", cycles_},
            {"energy_pj", pj(total)},
            {"edp", pj(total) * static_cast<double>(cycles_)},
            {"dataflow", dataflow()},
            {"moving_cycles", moving_},
            {"evaluation", evaluation_}};
  }

 private:
  // What one operand does with a memory.
  struct Use {
    Int in = 0;  ///< bits through the port on the inner side
    Int out = 0;
    Int cycles = 0;
    Wide energy = 0;  ///< without activations
  };

  double pj(Wide energy) const { return in_pj(energy, machine_.unit); }
  Wide compute_energy() const { return least_cost(mapped_.layer, machine_).energy; }

  void add(std::size_t memory, Operand x, const PimTransfer& transfer) {
    Use& use = uses_[memory][x];
    use = {transfer.in, transfer.out, transfer.cycles, plus(use.energy, transfer.given)};
  }

  void add_transfer(Operand x, std::size_t s) {
    const auto& [layer, machine, nest, layouts, claim, lanes, tiles, stations, held] = mapped_;
    const Station& from = stations[x][s - 1];
    const Station& to = stations[x][s];
    const Extents left = nest.left(layer, to.outside);
    const Outside outside = tiles.outside(left, x);
    const PimTransfer transfer = tiles.transfer(x, left, from.position, to.position, outside);
    add(from.memory, x, transfer);
    uses_[to.memory][x].energy = plus(uses_[to.memory][x].energy, transfer.energy - transfer.given);
    evaluation_["transfers"][mapped_.name(from.memory) + "/" + mapped_.name(to.memory, x)] =
        times(outside.seen, outside.repeats);
    evaluation_["sizes_bits"][mapped_.name(to.memory, x)] = mapped_.stored_bits(x, s);
    if (s != 1 || tiles.port(x, 0).row == 0) return;
    PimNode node;
    node.left = left;
    for (std::size_t l = 0; l < to.outside; ++l)
      node.outside.push_back({static_cast<std::uint8_t>(nest.loops[l].dim), nest.loops[l].factor});
    opened_[x] = rows_opened(tiles.walk(node, x), layouts[x]);
    opening_[x] = tiles.opening(x, opened_[x]);
    Int& cycles = uses_[from.memory][x].cycles;
    cycles = plus(cycles, times(opened_[x], tiles.port(x, 0).activation_cycles));
  }

  bool is_used(std::size_t memory) const {
    return std::any_of(uses_[memory].begin(), uses_[memory].end(),
                       [](const Use& use) { return use.in + use.out > 0; });
  }

  void add_cycles() {
    const Int compute = plus(times(machine_.mvm_cycles, mapped_.lanes.steps), machine_.reduction_latency);
    Int longest_alone = cycles_ = compute;
    Int longest_in_turns = compute;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Port& port = machine_.ports[m];
      const Int once = is_used(m) ? port.access_latency : 0;
      Int alone = once;
      Int in_turns = once;
      for (const Use& use : uses_[m]) {
        alone = std::max(alone, plus(use.cycles, once));
        in_turns = plus(in_turns, use.cycles);
      }
      evaluation_["memory_cycles"][mapped_.name(m)] = {{"per_operand", alone}, {"shared", in_turns}};
      cycles_ = std::max(cycles_, port.is_shared ? in_turns : alone);
      longest_alone = std::max(longest_alone, alone);
      longest_in_turns = std::max(longest_in_turns, in_turns);
    }
    evaluation_["latency_cycles"] = cycles_;
    evaluation_["latency_per_operand"] = longest_alone;
    evaluation_["latency_shared"] = longest_in_turns;
    evaluation_["compute_cycles"] = compute;
  }

  void add_energy() {
    Json& energy = evaluation_["energy"] = {{"compute", pj(compute_energy())}};
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      Wide opening = 0;
      for (const Operand x : operands) {
        if (uses_[m][x].in + uses_[m][x].out > 0) energy[mapped_.name(m, x)] = pj(uses_[m][x].energy);
        if (machine_.chains[x][0] == m) opening = plus(opening, opening_[x]);
      }
      if (machine_.ports[m].row > 0 && machine_.ports[m].activation_energy > 0)
        energy[mapped_.name(m) + "/activation"] = pj(opening);
    }
  }

  void add_bits() {
    Json& usage = evaluation_["usage_bits"] = Json::object();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      for (const Operand x : operands)
        if (const Int bits = plus(uses_[m][x].in, uses_[m][x].out); bits > 0) {
          evaluation_["bits"][mapped_.name(m, x)] = bits;
          moving_[mapped_.name(m, x)] = moving_cycles(m, x);
        }
      if (mapped_.held[m] > 0) usage[mapped_.name(m)] = mapped_.held[m];
    }
  }

  Json utilisation() const {
    double lanes = 1;
    for (std::size_t a = 0; a < machine_.axes.size(); ++a) {
      for (const Int factor : mapped_.nest.spatial[a]) lanes *= static_cast<double>(factor);
      lanes /= static_cast<double>(machine_.axes[a].size);
    }
    Json capacity = Json::object();
    Json bandwidth = Json::object();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Memory& memory = machine_.memories[m];
      const Int held = mapped_.held[m];
      if (held > 0 && memory.capacity != Memory{}.capacity)
        capacity[memory.name] = static_cast<double>(held) / static_cast<double>(memory.capacity);
      if (is_used(m)) bandwidth[memory.name] = moving_share(m);
    }
    return {{"lanes", lanes}, {"capacity", capacity}, {"bandwidth", bandwidth}};
  }

  // Returns the cycles in which an operand moves bits through a port at its full rate.
  double moving_cycles(std::size_t m, Operand x) const {
    const auto at_rate = [&](Int bits, Int rate) {
      return static_cast<double>(bits) /
             static_cast<double>(rate != 0 ? rate : machine_.memories[m].bandwidth);
    };
    const Port& port = machine_.ports[m];
    return at_rate(uses_[m][x].in, port.read_bandwidth) + at_rate(uses_[m][x].out, port.write_bandwidth);
  }

  // Returns the share of the latency in which the ports of a memory move bits.
  double moving_share(std::size_t m) const {
    double moving = 0;
    int ports = 0;
    for (const Operand x : operands) {
      moving += moving_cycles(m, x);
      ports += uses_[m][x].in + uses_[m][x].out > 0 ? 1 : 0;
    }
    return moving / (static_cast<double>(cycles_) * (machine_.ports[m].is_shared ? 1 : ports));
  }

  // Returns the name of the dataflow (section 8).
  std::string dataflow() const {
    bool taps = false;
    bool channels = false;
    for (const Extents& factors : mapped_.nest.spatial) {
      const bool has_taps = factors[R] > 1 || factors[S] > 1;
      taps = taps || has_taps;
      channels = channels || (factors[K] > 1 && !has_taps);
    }
    if (taps && channels) return "row stationary";
    std::array<Int, 3> unchanged{1, 1, 1};  // steps between two changes of the operand's data in the array
    for (const MappedLoop& loop : mapped_.nest.loops)
      for (const Operand x : operands)
        unchanged[x] = is_relevant(loop.dim, x) ? 1 : times(unchanged[x], loop.factor);
    const auto longest = std::max_element(unchanged.begin(), unchanged.end());
    if (std::count(unchanged.begin(), unchanged.end(), *longest) > 1) return "mixed";
    constexpr std::array words = {"input stationary", "weight stationary", "output stationary"};
    return words[static_cast<std::size_t>(longest - unchanged.begin())];
  }

  const Mapped& mapped_;
  const CheckedPimMachine& machine_;
  std::array<std::array<Use, 3>, most_memories> uses_;
  std::array<Int, 3> opened_{};  ///< rows that each operand opens in DRAM
  std::array<Wide, 3> opening_{};
  Int cycles_ = 0;
  Json moving_ = Json::object();
  Json evaluation_ = {
      {"transfers", Json::object()}, {"sizes_bits", Json::object()}, {"bits", Json::object()}};
};

MappedNest read_checked_nest(const Json& mapping, const CheckedPimMachine& machine) {
  check_form(mapping, mapping_form, "a mapping");
  return read_nest(mapping, machine);
}

}  // namespace

Contract contract_of(const Json& architecture, const Json& record, const Json& mapping) {
  return contract_or_fault([&]() -> Contract {
    const CheckedPimMachine machine = read_hardware(architecture);
    const Layer layer = read_layer(record);
    MappedNest nest = read_checked_nest(mapping, machine);
    auto faults = broken_rules(nest, layer, machine);
    if (!faults.empty()) return {std::move(faults), {}};
    const Mapped mapped(layer, machine, std::move(nest), read_layouts(mapping));
    faults = SpaceRules(mapped).broken();
    if (!faults.empty()) return {std::move(faults), {}};
    return {{}, Figures(mapped).all()};
  });
}

std::vector<std::string> bypass_faults(const Json& architecture, const Json& mapping, const Json& table) {
  const CheckedPimMachine machine = read_hardware(architecture);
  const MappedNest nest = read_checked_nest(mapping, machine);
  std::vector<std::string> faults;
  const Stations all = nest.stations(machine);
  for (const Operand x : operands) {
    const auto& stations = all[x];
    const auto& chain = machine.chains[x];
    for (std::size_t m = chain.front() + 1; m < chain.back(); ++m) {
      const bool is_used = std::any_of(stations.begin(), stations.end(),
                                       [&](const Station& station) { return station.memory == m; });
      const Json words = table.value(machine.memories[m].name, Json::array());
      const bool is_listed = std::find(words.begin(), words.end(), letter_of(x)) != words.end();
      if (is_used != is_listed)
        faults.push_back(sentence(machine.memories[m].name, is_used ? " is used for " : " is not used for ",
                                  operand_letters[x], ", which contradicts the bypass table"));
    }
  }
  return faults;
}

}  // namespace nestor::check::pim
