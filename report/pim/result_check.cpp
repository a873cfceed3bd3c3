#include "report/pim/result_check.h"

#include <algorithm>

#include "check/pim/contract.h"
#include "report/keys/pim.h"
#include "report/pim/replay_table.h"
#include "report/verify/nest_check.h"

namespace nestor::report {
namespace {

using io::FoundPoint;
using io::Json;
using io::pim::PimPoint;
using io::pim::PimRecord;
using io::pim::PimRun;

class PimCheck : public io::NestCheck<PimRun, nestor::pim::PimMachine, check::pim::contract_of> {
 public:
  PimCheck(const PimRun& run, const Json& claims)
      : NestCheck("pim", run, run.machine, io::pim::machine_to_json(run.machine), false, claims) {}

 private:
  Json mapping_json(const PimPoint& point) const override {
    return io::pim::mapping_to_json(*point.mapping, machine_);
  }
  Json point_figures(const Json& figures) const override { return figures; }

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
    if (is_map_ && given_.explain) comparison_.leave("layers[].resources");
    if (claims.contains(key::row_models)) comparison_.leave(std::string("layers[].") + key::row_models);
    if (!claims.contains(key::replay_cycles) || !found.contains(key::latency_cycles)) return;
    found[key::replay_cycles] = found[key::latency_cycles];
    const auto nest = record.best.nest(record.layer.shape);
    found[key::replay] =
        replay_json(sim::pim::replay(nest, machine_.machine, *record.best.mapping), machine_);
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
