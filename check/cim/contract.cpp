#include "check/cim/contract.h"

#include <algorithm>

#include "check/cim/rules.h"
#include "check/mapped_nest.h"

namespace nestor::check::cim {
namespace {

std::string port_of(const Memory& memory, Operand x) { return memory.name + "/" + operand_letters[x]; }

MappedNest read_checked_nest(const Json& mapping, const Machine& machine) {
  check_form(mapping, cim_mapping_form, "a mapping");
  return read_nest(mapping, machine);
}

// A layer on a machine, by a mapping that breaks no rule apart from capacities.
class Figures {
 public:
  /// `nest` and `path` are two readings of the same mapping.
  Figures(const Layer& layer, const Machine& machine, MappedNest nest, CimMapping path)
      : layer_(layer),
        machine_(machine),
        nest_(std::move(nest)),
        path_(std::move(path)),
        claim_({.per_energy = 1, .unit = machine.unit}, machine),
        lanes_(layer, machine, nest_.spatial),
        tiles_({layer, machine, claim_}, lanes_),
        stations_(nest_.stations(machine)),
        held_(held_bits(nest_, stations_, [&](Operand x, std::size_t s) { return size_of(x, s); })) {}

  Int latency(bool miredo, const Pairs& untimed = {}) const {
    const Claim claim({.miredo = miredo}, machine_);
    CimNest nest({layer_, machine_, claim}, lanes_);
    nest.untimed = untimed;
    std::optional<Node> node = nest.root();
    for (const LoggedNest& logged : path_.nests)
      if (node) node = nest.after(*node, logged);
    if (!node || node->rest != 1) throw Unreadable("its loops do not form the layer, or misplace a tile");
    return nest.cost(*node).latency;
  }

  /// Returns the pairs whose transfers take no time if only those through `ports` do.
  Pairs untimed_but(const std::set<std::string>& ports) const {
    Pairs untimed{};
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand x : operands) untimed[m][x] = !ports.contains(port_of(machine_.memories[m], x));
    return untimed;
  }

  std::vector<std::string> overfull_memories() const { return overfull(held_, machine_); }

  Json all() {
    const Wide compute = least_cost(layer_, machine_).energy;
    energy_ = compute;
    evaluation_["energy"] = {{"compute", pj(compute)}};
    for (const char* const table : {"traffic_bits", "sizes_bits", "usage_bits"})
      evaluation_[table] = Json::object();
    for (const Operand x : operands) add(x);
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (held_[m] > 0) evaluation_["usage_bits"][machine_.memories[m].name] = held_[m];
    const Int miredo = latency(true);
    const Int stall = latency(false);
    evaluation_["latency_cycles"] = miredo;
    evaluation_["stall_cycles"] = stall;
    evaluation_["energy_pj"] = pj(energy_);
    evaluation_["edp"] = edp(miredo);
    evaluation_["stall_edp"] = edp(stall);
    evaluation_["fill"] = std::max(once(I), once(W));
    evaluation_["drain"] = once(O);
    return evaluation_;
  }

 private:
  double pj(Wide energy) const { return in_pj(energy, machine_.unit); }
  // Returns the product (7.7) of a latency and the energy with leakage.
  double edp(Int cycles) const {
    return pj(plus(energy_, times(machine_.leakage, Wide{cycles}))) * static_cast<double>(cycles);
  }

  Int size_of(Operand x, std::size_t s) const {
    const Station& station = stations_[x][s];
    return tiles_.bits_of(x, nest_.left(layer_, station.outside), station.position,
                          !nest_.has_sums(stations_[x], s));
  }

  // Returns the cycles of the fill of I or W, or of the drain of O: (5.1).
  Int once(Operand x) const {
    return stations_[x][1].outside == 0 ? tiles_.cycles(x, nest_.left(layer_, 0), 0, true) : 0;
  }

  // Adds the sizes, bits and energies of an operand.
  void add(Operand x) {
    const auto& stations = stations_[x];
    std::vector<Wide> energies(stations.size());
    for (std::size_t s = 1; s < stations.size(); ++s) {
      const std::size_t outside = stations[s].outside;
      Int count = 1;
      Int distinct = 1;
      for (std::size_t l = 0; l < outside; ++l) {
        count = times(count, nest_.loops[l].factor);
        if (is_relevant(nest_.loops[l].dim, x)) distinct = times(distinct, nest_.loops[l].factor);
      }
      const Traffic traffic =
          tiles_.traffic(x, nest_.left(layer_, outside), stations[s].position, stations[s - 1].position,
                         count, x == O ? count - distinct : 0, !nest_.reduces(outside));
      const std::string source = port_of(machine_.memories[stations[s - 1].memory], x);
      evaluation_["traffic_bits"][source]["read"] = traffic.read;
      if (x == O) evaluation_["traffic_bits"][source]["write"] = traffic.written;
      evaluation_["sizes_bits"][port_of(machine_.memories[stations[s].memory], x)] = size_of(x, s);
      energies[s - 1] = plus(energies[s - 1], traffic.given);
      energies[s] = plus(energies[s], traffic.taken);
    }
    energies.back() = plus(energies.back(), lanes_.served[x]);
    for (std::size_t s = 0; s < stations.size(); ++s) {
      evaluation_["energy"][port_of(machine_.memories[stations[s].memory], x)] = pj(energies[s]);
      energy_ = plus(energy_, energies[s]);
    }
  }

  const Layer& layer_;
  const Machine& machine_;
  const MappedNest nest_;
  const CimMapping path_;
  const Claim claim_;
  const CimLanes lanes_;
  const CimNest tiles_;
  const Stations stations_;
  const MemoryBits held_;
  Json evaluation_;
  Wide energy_ = 0;  // without leakage
};

}  // namespace

Contract contract_of(const Json& architecture, const Json& record, const Json& mapping) {
  return contract_or_fault([&]() -> Contract {
    const Machine machine = read_machine(architecture);
    const Layer layer = read_layer(record);
    MappedNest nest = read_checked_nest(mapping, machine);
    auto faults = broken_rules(nest, layer, machine);
    if (!faults.empty()) return {std::move(faults), {}};
    Figures figures(layer, machine, std::move(nest), read_mapping(mapping, machine));
    faults = figures.overfull_memories();
    if (!faults.empty()) return {std::move(faults), {}};
    return {{}, figures.all()};
  });
}

Int cycles_through(const std::set<std::string>& ports, bool stall, const Json& architecture,
                   const Json& record, const Json& mapping) {
  const Machine machine = read_machine(architecture);
  const Layer layer = read_layer(record);
  const Figures figures(layer, machine, read_checked_nest(mapping, machine), read_mapping(mapping, machine));
  return figures.latency(!stall, figures.untimed_but(ports));
}

}  // namespace nestor::check::cim
