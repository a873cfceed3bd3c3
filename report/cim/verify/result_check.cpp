#include "report/cim/verify/result_check.h"

#include "check/cim/contract.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "report/cim/replay_tables.h"
#include "report/cim/verify/resource_check.h"
#include "report/keys/cim.h"
#include "report/results/node_json.h"
#include "report/verify/nest_check.h"

namespace nestor::io {
namespace {

// Returns the default mu2 of `eq14`; 0 if every memory is a home or has unlimited capacity.
double default_mu2(const Architecture& machine) {
  double weight = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool is_home = false;
    for (const Operand operand : all_operands) is_home |= machine.home(operand) == m;
    if (!is_home && machine.memories[m].capacity != unlimited_capacity)
      weight += static_cast<double>(m) * static_cast<double>(machine.memories[m].capacity);
  }
  return weight > 0 ? 0.001 / weight : 0;
}

class CimCheck : public NestCheck<CimRun, Architecture, check::cim::contract_of> {
 public:
  CimCheck(const CimRun& run, const Json& claims)
      : NestCheck("cim", run, run.machine, architecture_to_json(run.machine), true, claims) {}

 private:
  Json mapping_json(const CimPoint& point) const override {
    return mapping_to_json(*point.mapping, machine_);
  }
  bool stalls() const { return objective_.latency_model == "stall"; }

  // The energy includes leakage, eq. (7.6).
  Json point_figures(const Json& figures) const override {
    const Int cycles = figures[stalls() ? key::stall_cycles : key::latency_cycles].get<Int>();
    const double energy = figures[key::energy_pj].get<double>();
    return {{key::latency_cycles, cycles},
            {key::energy_pj, energy + machine_.machine.leakage * static_cast<double>(cycles)},
            {key::edp, figures[stalls() ? key::stall_edp : key::edp]}};
  }

  std::optional<double> own_objective(const FoundPoint& point) const override {
    if (objective_.name != "eq14") return std::nullopt;
    double locality = 0;  // eq. (8.1)
    for (std::size_t m = 0; m < machine_.memory_names.size(); ++m)
      for (const Operand operand : all_operands)
        locality += static_cast<double>(m) *
                    point.figures[key::sizes_bits].value(port_name(machine_.memory_names[m], operand), 0.0);
    return weight("mu1", 1) * point.json[key::latency_cycles].get<double>() -
           weight("mu2", default_mu2(machine_.machine)) * locality;
  }

  CimPoint smallest(const LayerShape& shape) const override {
    CimPoint point;
    point.mapping = smallest_tiles(shape, machine_.machine);
    return point;
  }

  void add_to_layer(Json& found, const CimRecord& record, const FoundPoint* best, const Json& claims,
                    const std::string& path) override {
    if (best == nullptr) return;
    found[key::usage_bits] = best->figures[key::usage_bits];
    found[key::traffic_bits] = best->figures[key::traffic_bits];
    if (run_.verb == "evaluate" || claims.contains(key::evaluation)) found[key::evaluation] = best->figures;
    if (run_.verb == "simulate" || record.replay_cycles || !record.stalls.is_null())
      add_replay(found, record, path);
    const CimResourceCheck resources(
        comparison_, machine_, record, claims, *best,
        [&](const CimPoint& changed, const Json& machine, const std::string& place) {
          return point(record.layer, changed, machine, place, "layers[].resources[].");
        });
    if (is_map_ || !record.spent_cycles.empty())
      found[key::spent_cycles] = resources.spent_cycles(architecture_, stalls(), path);
    add_resources(found, record, resources, path);
  }

  // Adds the figures of a replay. If one of the two keys is absent, which is a finding, nothing is replayed.
  void add_replay(Json& found, const CimRecord& record, const std::string& path) {
    found[key::replay_cycles] = record.replay_cycles ? Json(*record.replay_cycles) : Json();
    found[key::stalls] = record.stalls;
    if (!record.replay_cycles || record.stalls.is_null()) return;
    const auto replayed =
        sim::cim::replay(record.best.nest(record.layer.shape), machine_.machine, *record.best.mapping);
    if (replayed.status != sim::cim::ReplayStatus::complete)
      return comparison_.find(path + "mapping cannot be replayed to confirm replay_cycles");
    found[key::replay_cycles] = replayed.cycles;
    found[key::stalls] = report::stalls_json(replayed);
  }
};

}  // namespace

ResultCheck check_cim_result(const CimRun& run, const Json& claims, const NetworkReader& read_network) {
  return CimCheck(run, claims)
      .check(read_network, [&](const std::string& name, std::span<const std::string> settings) {
        const auto read = read_architecture(name, settings);
        return read && architecture_to_json(*read) == architecture_to_json(run.machine);
      });
}

ResultCheck check_cim_mappings(const CimRun& run) { return CimCheck(run, Json()).check_mappings(); }

}  // namespace nestor::io
