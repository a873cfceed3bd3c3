#include "report/pim/second_result.h"

#include <fmt/format.h>

#include "model/pim/second_reading/reading.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"

namespace nestor::report {
namespace {

using nestor::pim::PimMapping;
using pim_reading::Wide;

class SecondReading {
 public:
  SecondReading(const LayerShape& layer, const io::pim::NamedPimMachine& named, const PimMapping& mapping)
      : layer_(layer), named_(named), machine_(named.machine), mapping_(mapping) {}

  SecondPoint run() {
    SecondPoint point;
    point.faults = pim_reading::broken_rules(layer_, machine_, part_names(named_), mapping_);
    if (!point.faults.empty()) return point;
    const auto apart = walk(false);
    const auto in_turns = walk(true);
    if (apart.status != sim::pim::ReplayEnd::complete) point.faults = {"too long to be replayed"};
    if (!point.faults.empty()) return point;
    const auto figures = pim_reading::recompute(layer_, machine_, mapping_);
    const auto own = sim::pim::replay(layer_, machine_, mapping_);
    point.cycles = own.cycles;
    const auto cycles = static_cast<double>(own.cycles);
    point.energy_pj = own.energy_pj + machine_.leakage * cycles;
    io::Json evaluation = {
        {key::latency_cycles, own.cycles},      {key::latency_per_operand, apart.cycles},
        {key::latency_shared, in_turns.cycles}, {key::compute_cycles, whole(figures.compute_cycles)},
        {key::energy_pj, own.energy_pj},        {key::edp, own.energy_pj * cycles}};
    evaluation[key::row_activations] = activations(own);
    evaluation[key::energy] = energy(own);
    add_walks(evaluation, apart, in_turns);
    add_fillings(evaluation, figures);
    evaluation[key::utilisation] = utilisation(own, figures);
    evaluation[key::blocks] = blocks();
    point.json = {{key::latency_cycles, own.cycles},
                  {key::energy_pj, point.energy_pj},
                  {key::edp, point.energy_pj * cycles},
                  {key::mapping, io::pim::mapping_to_json(mapping_, named_)},
                  {key::dataflow, pim_reading::dataflow(layer_, mapping_)},
                  {key::evaluation, std::move(evaluation)}};
    return point;
  }

 private:
  // The rules ensure that all figures fit an Int.
  static Int whole(Wide figure) { return static_cast<Int>(figure); }

  // Replays the mapping on a machine whose ports are all shared or all separate.
  sim::pim::Replay walk(bool shared) const {
    auto machine = machine_;
    for (auto& memory : machine.memories) memory.shared_port = shared;
    return sim::pim::replay(layer_, machine, mapping_);
  }

  static io::Json activations(const sim::pim::Replay& replay) {
    io::Json json = io::Json::object();
    for (const Operand operand : all_operands)
      json[std::string(1, letter(operand))] = replay.activations[index_of(operand)];
    return json;
  }

  io::Json energy(const sim::pim::Replay& replay) const {
    io::Json json = {{key::compute, replay.compute_energy_pj}};
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      if (machine_.memories[m].row > 0 && machine_.memories[m].activation_energy > 0)
        json[named_.memory_names[m] + "/activation"] = replay.activation_energy_pj;
      for (const Operand operand : all_operands)
        if (replay.bits[m][index_of(operand)] > 0)
          json[key(m, operand)] = replay.memory_energy_pj[m][index_of(operand)];
    }
    return json;
  }

  std::string key(std::size_t m, Operand operand) const {
    return fmt::format("{}/{}", named_.memory_names[m], letter(operand));
  }

  void add_walks(io::Json& evaluation, const sim::pim::Replay& apart,
                 const sim::pim::Replay& in_turns) const {
    auto& cycles = evaluation[key::memory_cycles] = io::Json::object();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      cycles[named_.memory_names[m]] = {{key::per_operand, apart.memory_cycles[m]},
                                        {key::shared, in_turns.memory_cycles[m]}};
    auto bits = io::Json::object();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands)
        if (apart.bits[m][index_of(operand)] > 0) bits[key(m, operand)] = apart.bits[m][index_of(operand)];
    evaluation[key::bits] = std::move(bits);
  }

  void add_fillings(io::Json& evaluation, const pim_reading::PimFigures& figures) const {
    io::Json transfers = io::Json::object(), sizes = io::Json::object(), usage = io::Json::object();
    for (const Operand operand : all_operands) {
      const auto& fillings = figures.fillings[index_of(operand)];
      for (const auto& filling : std::span(fillings.begin(), fillings.end()).subspan(1)) {
        transfers[fmt::format("{}/{}", named_.memory_names[filling.source], key(filling.memory, operand))] =
            whole(filling.times);
        sizes[key(filling.memory, operand)] = whole(filling.size_bits);
      }
    }
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      if (figures.usage_bits[m] > 0) usage[named_.memory_names[m]] = whole(figures.usage_bits[m]);
    evaluation[key::transfers] = std::move(transfers);
    evaluation[key::sizes_bits] = std::move(sizes);
    evaluation[key::usage_bits] = std::move(usage);
  }

  io::Json utilisation(const sim::pim::Replay& replay, const pim_reading::PimFigures& figures) const {
    double lanes = 1;
    double used = 1;
    for (std::size_t a = 0; a < machine_.axes.size(); ++a) {
      lanes *= static_cast<double>(machine_.axes[a].size);
      for (const Int factor : mapping_.nest.spatial[a]) used *= static_cast<double>(factor);
    }
    io::Json capacity = io::Json::object(), bandwidth = io::Json::object();
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const Memory& memory = machine_.memories[m];
      const Int held = whole(figures.usage_bits[m]);
      if (held > 0 && memory.capacity != unlimited_capacity)
        capacity[named_.memory_names[m]] = static_cast<double>(held) / static_cast<double>(memory.capacity);
      double ports = 0;
      for (const Operand operand : all_operands) ports += replay.bits[m][index_of(operand)] > 0 ? 1 : 0;
      if (ports == 0) continue;
      bandwidth[named_.memory_names[m]] =
          replay.moving_cycles[m] / (static_cast<double>(replay.cycles) * (memory.shared_port ? 1 : ports));
    }
    return {{key::lanes, used / lanes}, {key::capacity, capacity}, {key::bandwidth, bandwidth}};
  }

  io::Json blocks() const {
    io::Json json = io::Json::object();
    for (const Operand operand : all_operands) {
      auto& list = json[std::string(1, letter(operand))] = io::Json::array();
      for (const Loop& loop : mapping_.nest.loops)
        list.push_back(named_.memory_names[loop.at[index_of(operand)]]);
    }
    return json;
  }

  const LayerShape& layer_;
  const io::pim::NamedPimMachine& named_;
  const nestor::pim::PimMachine& machine_;
  const PimMapping& mapping_;
};

}  // namespace

verify::PartNames part_names(const io::pim::NamedPimMachine& machine) {
  return {machine.memory_names, machine.axis_names};
}

SecondPoint work_out_again(const LayerShape& layer, const io::pim::NamedPimMachine& machine,
                           const PimMapping& mapping) {
  return SecondReading(layer, machine, mapping).run();
}

io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedPimMachine& machine) {
  io::Json json = {
      {key::steps, replay.steps}, {"dram_accesses", replay.accesses}, {key::energy_pj, replay.energy_pj}};
  io::Json rows = io::Json::object();
  io::Json bits = io::Json::object();
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    rows[std::string(1, letter(operand))] = replay.activations[x];
    for (std::size_t m = 0; m < machine.memory_names.size(); ++m)
      if (replay.bits[m][x] > 0)
        bits[fmt::format("{}/{}", machine.memory_names[m], letter(operand))] = replay.bits[m][x];
  }
  json[key::row_activations] = std::move(rows);
  json[key::bits] = std::move(bits);
  return json;
}

}  // namespace nestor::report
