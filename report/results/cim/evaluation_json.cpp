#include "report/results/cim/evaluation_json.h"

#include <fmt/format.h>

#include "report/keys/cim.h"
#include "report/keys/common.h"

namespace nestor::io {
namespace {

// Calls visit("memory/operand", memory, operand) for every pair in use, grouped by operand.
template <typename Visit>
void for_each_use(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture,
                  const Visit& visit) {
  for (const Operand operand : all_operands)
    for (std::size_t m = 0; m < architecture.machine.memories.size(); ++m)
      if (evaluation.used[m].contains(operand))
        visit(fmt::format("{}/{}", architecture.memory_names[m], letter(operand)), m, operand);
}

}  // namespace

Json evaluation_to_json(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  Json json = {{key::latency_cycles, evaluation.miredo_cycles},
               {key::stall_cycles, evaluation.stall_cycles},
               {key::energy_pj, evaluation.energy_pj},
               {key::edp, evaluation.edp(machine, cim::LatencyModel::miredo)},
               {key::stall_edp, evaluation.edp(machine, cim::LatencyModel::stall)},
               {key::fill, evaluation.fill_cycles},
               {key::drain, evaluation.drain_cycles}};

  Json energy = {{key::compute, evaluation.compute_energy_pj}};
  Json traffic = Json::object();
  Json sizes = Json::object();
  for_each_use(evaluation, architecture, [&](const std::string& name, std::size_t m, Operand operand) {
    const auto x = index_of(operand);
    energy[name] = evaluation.memory_energy_pj[m][x];
    if (m != machine.innermost(operand)) {
      traffic[name][key::read] = evaluation.read_bits[m][x];
      if (operand == Operand::O) traffic[name][key::write] = evaluation.write_bits[m][x];
    }
    if (m != machine.home(operand)) sizes[name] = evaluation.size_bits[m][x];
  });
  Json usage = Json::object();
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool held = false;
    for (const Operand operand : all_operands)
      held |= evaluation.used[m].contains(operand) && machine.home(operand) != m;
    if (held) usage[architecture.memory_names[m]] = evaluation.usage_bits[m];
  }
  json[key::energy] = std::move(energy);
  json[key::traffic_bits] = std::move(traffic);
  json[key::sizes_bits] = std::move(sizes);
  json[key::usage_bits] = std::move(usage);
  return json;
}

}  // namespace nestor::io
