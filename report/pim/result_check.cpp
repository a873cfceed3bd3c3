#include "report/pim/result_check.h"

#include <algorithm>

#include "check/pim/contract.h"
#include "report/keys/pim.h"
#include "report/pim/replay_table.h"
#include "report/verify/resource_check.h"

namespace nestor::report {
namespace {

using io::FoundPoint;
using io::Json;
using io::pim::PimPoint;
using io::pim::PimRecord;
using io::pim::PimRun;

constexpr const char* moving = "moving_cycles";  // a figure of the contract that results do not contain

class PimResourceCheck : public io::ResourceCheck<PimRecord, nestor::pim::PimMachine> {
 public:
  using ResourceCheck::ResourceCheck;

 private:
  Json machine_json(const io::pim::NamedPimMachine& machine) const override {
    return io::pim::machine_to_json(machine);
  }
  const Mapping& nest() const override { return layer_.best.mapping->nest; }
  const Json& figures() const override { return best_.figures[key::evaluation]; }
  double moving_cycles(std::size_t memory, Operand operand) const override {
    return best_.figures[moving].value(io::port_name(named_.memory_names[memory], operand), 0.0);
  }
  bool is_shared(std::size_t memory) const override { return named_.machine.memories[memory].shared_port; }

  // The operands open rows at the same time, or one after the other if they share a port.
  double opening_cycles(std::size_t memory) const override {
    Int most = 0;
    Int all = 0;
    for (const Json& rows : figures()[key::row_activations]) {
      most = std::max(most, rows.get<Int>());
      all += rows.get<Int>();
    }
    return static_cast<double>((is_shared(memory) ? all : most) *
                               named_.machine.memories[memory].activation_cycles);
  }

  // The bandwidth of a memory is that of its slower direction. More of it makes no direction slower.
  Int amount(const Resource& resource, const nestor::pim::PimMachine& machine) const override {
    if (resource.kind != Resource::Kind::bandwidth) return ResourceCheck::amount(resource, machine);
    const Memory& memory = machine.memories[resource.place];
    const auto rate = [&](Int own) { return own != 0 ? own : memory.bandwidth; };
    return std::min(rate(memory.read_bandwidth), rate(memory.write_bandwidth));
  }
  void set_amount(const Resource& resource, Int amount, nestor::pim::PimMachine& machine) const override {
    if (resource.kind != Resource::Kind::bandwidth)
      return ResourceCheck::set_amount(resource, amount, machine);
    Memory& memory = machine.memories[resource.place];
    for (Int* const rate : {&memory.bandwidth, &memory.read_bandwidth, &memory.write_bandwidth})
      if (*rate > 0) *rate = std::max(*rate, amount);
  }

  Json keys_of_change(Json point) const override {
    for (const char* const key : {key::edp, key::dataflow, key::evaluation}) point.erase(key);
    return point;
  }
};

class PimCheck : public io::NestCheck<PimRun, nestor::pim::PimMachine, check::pim::contract_of> {
 public:
  PimCheck(const PimRun& run, const Json& claims)
      : NestCheck("pim", run, run.machine, io::pim::machine_to_json(run.machine), false, claims) {}

 private:
  Json mapping_json(const PimPoint& point) const override {
    return io::pim::mapping_to_json(*point.mapping, machine_);
  }
  Json point_figures(const Json& figures) const override {
    Json keys = figures;
    keys.erase(moving);
    return keys;
  }

  // The contract counts rows exactly, so it cannot confirm hybrid figures.
  bool confirms_costs() const override { return machine_.machine.row_model != nestor::pim::RowModel::hybrid; }

  // Kinds of layouts and one bypass table for all layers can exclude the smallest tiles.
  PimPoint smallest(const LayerShape& shape) const override {
    PimPoint point;
    if (!given_.fix_bypass && given_.layouts.contains(nestor::pim::LayoutKind::sequential))
      point.mapping.emplace().nest = io::smallest_tiles(shape, machine_.machine);
    return point;
  }

  void add_to_layer(Json& found, const PimRecord& record, const FoundPoint* best, const Json& claims,
                    const std::string& path) override {
    if (best == nullptr && !record.front.empty()) comparison_.find(path + "mapping is missing");
    if (best != nullptr && confirms_costs()) {
      const PimResourceCheck resources(
          comparison_, machine_, record, claims, *best,
          [&](const PimPoint& changed, const Json& machine, const std::string& place) {
            return point(record.layer, changed, machine, place, "layers[].resources[].");
          });
      add_resources(found, record, resources, path);
    } else if (claims.contains(key::resources)) {
      comparison_.leave(std::string("layers[].") + key::resources);
    }
    if (best != nullptr && claims.contains(key::row_models)) add_row_models(found, best->figures);
    if (!claims.contains(key::replay_cycles) || !found.contains(key::latency_cycles)) return;
    found[key::replay_cycles] = found[key::latency_cycles];
    const auto nest = record.best.nest(record.layer.shape);
    found[key::replay] =
        replay_json(sim::pim::replay(nest, machine_.machine, *record.best.mapping), machine_);
  }

  // Adds the figures of exact rows, which the contract counts.
  void add_row_models(Json& found, const Json& figures) {
    constexpr auto word = [](nestor::pim::RowModel model) {
      return std::string(nestor::pim::row_models.word(model));
    };
    found[key::row_models][word(nestor::pim::RowModel::exact)] = {
        {key::latency_cycles, figures[key::latency_cycles]},
        {key::row_activations, figures[key::evaluation][key::row_activations]}};
    comparison_.leave("layers[].row_models." + word(nestor::pim::RowModel::hybrid));
  }

  // Checks that every mapping stores exactly the operands that the bypass table states.
  void add_to_run(Json& found) override {
    const bool is_claimed = claims_.contains(key::bypass_table);
    if (given_.fix_bypass && !is_claimed) comparison_.find("bypass_table is missing");
    if (!is_claimed) return;
    nestor::pim::StoredPairs stored{};
    for (std::size_t m = 0; m < machine_.memory_names.size(); ++m)
      for (const Operand operand : all_operands) {
        const bool in_all = !run_.layers.empty() &&
                            std::all_of(run_.layers.begin(), run_.layers.end(), [&](const PimRecord& record) {
                              return record.best.mapping && record.best.mapping->stored[m].contains(operand);
                            });
        if (in_all) stored[m].insert(operand);
      }
    found[key::bypass_table] = io::pim::bypass_table_to_json(stored, machine_);
    for (std::size_t i = 0; i < run_.layers.size(); ++i)
      if (run_.layers[i].best.mapping)
        for (const auto& fault : check::pim::bypass_faults(architecture_, mapping_json(run_.layers[i].best),
                                                           found[key::bypass_table]))
          comparison_.find(fmt::format("layers[{}].mapping: {}", i, fault));
  }
};

}  // namespace

io::ResultCheck check_pim_result(const PimRun& run, const Json& claims,
                                 const io::NetworkReader& read_network) {
  return PimCheck(run, claims)
      .check(read_network, [&](const std::string& name, std::span<const std::string> settings) {
        const auto machine = io::pim::read_machine(name, settings);
        return machine && io::pim::machine_to_json(*machine) == io::pim::machine_to_json(run.machine);
      });
}

io::ResultCheck check_pim_mappings(const PimRun& run) { return PimCheck(run, Json()).check_mappings(); }

}  // namespace nestor::report
