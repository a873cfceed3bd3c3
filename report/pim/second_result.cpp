#include "report/pim/second_result.h"

#include <fmt/format.h>

#include "io/pim/texts.h"
#include "model/loopnest/tiles.h"
#include "model/pim/admission.h"
#include "model/pim/legality.h"

namespace nestor::report {
namespace {

using nestor::pim::PimMapping;

class SecondReading {
 public:
  SecondReading(const LayerShape& layer, const io::pim::NamedMachine& named, const PimMapping& mapping)
      : layer_(layer), named_(named), machine_(named.machine), mapping_(mapping) {}

  SecondPoint run() {
    const auto refusal = nestor::pim::admit(layer_, machine_);
    if (refusal != nestor::pim::Refusal::none) return fault(io::pim::refusal_text(refusal));
    if (const auto violation = nestor::pim::find_violation(layer_, machine_, mapping_))
      return fault(io::pim::violation_text(*violation, mapping_, named_));
    const auto apart = walk(false);
    const auto in_turns = walk(true);
    if (apart.status != sim::pim::ReplayStatus::complete) return fault("too long to be walked");
    const auto own = sim::pim::replay(layer_, machine_, mapping_);
    SecondPoint point;
    point.cycles = own.cycles;
    const auto cycles = static_cast<double>(own.cycles);
    point.energy_pj = own.energy_pj + machine_.leakage * cycles;
    io::Json evaluation = {{"latency_cycles", own.cycles},
                           {"latency_per_operand", apart.cycles},
                           {"latency_shared", in_turns.cycles},
                           {"compute_cycles", machine_.mvm_cycles * own.steps + machine_.reduction_latency},
                           {"energy_pj", own.energy_pj},
                           {"edp", own.energy_pj * cycles}};
    evaluation["row_activations"] = activations(own);
    add_memories(evaluation, apart, in_turns);
    evaluation["blocks"] = blocks();
    point.json = {{"latency_cycles", own.cycles},
                  {"energy_pj", point.energy_pj},
                  {"edp", point.energy_pj * cycles},
                  {"mapping", io::pim::mapping_to_json(mapping_, named_)},
                  {"evaluation", std::move(evaluation)}};
    return point;
  }

 private:
  static SecondPoint fault(std::string text) {
    SecondPoint point;
    point.fault = std::move(text);
    return point;
  }

  // The walk on a machine all whose ports are alike.
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

  bool used(std::size_t m, Operand operand) const {
    if (!machine_.memories[m].operands.contains(operand)) return false;
    if (m == machine_.home(operand) || m == machine_.innermost(operand)) return true;
    if (mapping_.stored[m].contains(operand)) return true;
    for (const Loop& loop : mapping_.nest.loops)
      if (loop.at[index_of(operand)] == m) return true;
    return false;
  }

  // The first loop inside the tile that a memory holds.
  std::size_t begin(std::size_t m, Operand operand) const {
    const auto& loops = mapping_.nest.loops;
    std::size_t i = 0;
    while (i < loops.size() && loops[i].at[index_of(operand)] < m) ++i;
    return i;
  }

  Int fillings(std::size_t m, Operand operand) const {
    Int times = 1;
    for (std::size_t i = 0; i < begin(m, operand); ++i) times *= mapping_.nest.loops[i].factor;
    return times;
  }

  // Bits of the tile in one instance of a memory; sums are partial where they are made, and while a reduction
  // lies in their block, outside it, or on an axis above.
  Int size(std::size_t m, Operand operand) const {
    Extents extents = unit_extents;
    bool partial = m == machine_.innermost(operand);
    const auto& loops = mapping_.nest.loops;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (i >= begin(m, operand)) extents[index_of(loops[i].dim)] *= loops[i].factor;
      partial |= loops[i].at[index_of(operand)] <= m && layer_.is_reduction(loops[i].dim);
    }
    for (std::size_t a = 0; a < machine_.axes.size(); ++a)
      for (const Dim dim : all_dims) {
        const Int factor = mapping_.nest.spatial[a][index_of(dim)];
        if (a >= machine_.memories[m].axes_above)
          extents[index_of(dim)] *= factor;
        else
          partial |= factor > 1 && layer_.is_reduction(dim);
      }
    const Int width = operand == Operand::O && partial ? layer_.bits.partial_sum : layer_.bits.of(operand);
    return elements(layer_, operand, extents) * width;
  }

  void add_memories(io::Json& evaluation, const sim::pim::Replay& apart,
                    const sim::pim::Replay& in_turns) const {
    io::Json cycles = io::Json::object(), bits = io::Json::object(), transfers = io::Json::object();
    io::Json sizes = io::Json::object(), usage = io::Json::object();
    std::array<std::size_t, operand_count> outward{};
    for (std::size_t m = 0; m < machine_.memories.size(); ++m) {
      const auto& name = named_.memory_names[m];
      cycles[name] = {{"per_operand", apart.memory_cycles[m]}, {"shared", in_turns.memory_cycles[m]}};
      Int in_use = 0;
      for (const Operand operand : all_operands) {
        const auto x = index_of(operand);
        if (!used(m, operand)) continue;
        const auto key = fmt::format("{}/{}", name, letter(operand));
        bits[key] = apart.bits[m][x];
        if (m != machine_.home(operand)) {
          transfers[fmt::format("{}/{}", named_.memory_names[outward[x]], key)] = fillings(m, operand);
          sizes[key] = size(m, operand);
          in_use += size(m, operand);
        }
        outward[x] = m;
      }
      if (in_use > 0) usage[name] = in_use;
    }
    evaluation["memory_cycles"] = std::move(cycles);
    evaluation["bits"] = std::move(bits);
    evaluation["transfers"] = std::move(transfers);
    evaluation["sizes_bits"] = std::move(sizes);
    evaluation["usage_bits"] = std::move(usage);
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
  const io::pim::NamedMachine& named_;
  const nestor::pim::Machine& machine_;
  const PimMapping& mapping_;
};

}  // namespace

SecondPoint work_out_again(const LayerShape& layer, const io::pim::NamedMachine& machine,
                           const PimMapping& mapping) {
  return SecondReading(layer, machine, mapping).run();
}

io::Json replay_json(const sim::pim::Replay& replay, const io::pim::NamedMachine& machine) {
  io::Json json = {
      {"steps", replay.steps}, {"dram_accesses", replay.accesses}, {"energy_pj", replay.energy_pj}};
  io::Json rows = io::Json::object();
  io::Json bits = io::Json::object();
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    rows[std::string(1, letter(operand))] = replay.activations[x];
    for (std::size_t m = 0; m < machine.memory_names.size(); ++m)
      if (replay.bits[m][x] > 0)
        bits[fmt::format("{}/{}", machine.memory_names[m], letter(operand))] = replay.bits[m][x];
  }
  json["row_activations"] = std::move(rows);
  json["bits"] = std::move(bits);
  return json;
}

}  // namespace nestor::report
