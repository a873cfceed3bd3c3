#include "report/pim/explanation.h"

#include <algorithm>
#include <cmath>

#include "io/pim/mapping_file.h"
#include "report/keys/common.h"
#include "report/resource_table.h"
#include "report/results/result_file.h"

namespace nestor::report {
namespace {

namespace mapping = mapper::pim;

io::Json change_to_json(const mapping::Change& change, const io::pim::NamedPimMachine& machine) {
  io::Json json = {{key::amount, change.amount}, {key::status, to_string(change.status)}};
  if (std::isfinite(change.bound)) json[key::lower_bound] = std::min(change.bound, change.best.objective);
  json[key::gain] = change.gain;
  json[key::objective] = change.best.objective;
  if (change.gain == 0) return json;  // the mapping is the layer's own
  json[key::latency_cycles] = change.best.evaluation.latency_cycles;
  json[key::energy_pj] = change.best.evaluation.total_energy_pj(machine.machine);
  json[key::mapping] = io::pim::mapping_to_json(change.best.mapping, machine);
  return json;
}

std::optional<ResourceRow::Change> shown(const io::Json& resource, const char* key) {
  if (!resource.contains(key)) return std::nullopt;
  const auto& change = resource[key];
  return ResourceRow::Change{
      .amount = change[key::amount].get<Int>(),
      .gain = change[key::gain].get<double>(),
      .status = change[key::status] == "optimal" ? Status::optimal : Status::gap_reached};
}

}  // namespace

io::Json resources_to_json(const std::vector<mapping::LayerResource>& reports,
                           const io::pim::NamedPimMachine& machine) {
  auto list = io::Json::array();
  for (const auto& report : reports) {
    io::Json json = {{key::resource, resource_kinds.word(report.resource.kind)}};
    const auto name = part_name(report.resource, machine.memory_names, machine.axis_names);
    if (!name.empty()) json[key::name] = name;
    json[key::amount] = report.amount;
    json[key::used] = report.used.share;
    if (report.used.busiest) json[key::operand] = std::string(1, letter(*report.used.busiest));
    json[key::binds] = bindings.word(report.binding);
    if (report.step) json[key::step] = change_to_json(*report.step, machine);
    if (report.most) json[key::most] = change_to_json(*report.most, machine);
    list.push_back(std::move(json));
  }
  return list;
}

std::string explanation_text(const io::pim::RunRecord& run) {
  std::string text;
  for (const auto& record : run.layers) {
    if (record.resources.is_null()) continue;
    std::vector<ResourceRow> rows;
    for (const auto& resource : record.resources) {
      ResourceRow row{.resource = resource_kinds.find(resource[key::resource].get<std::string>()).value(),
                      .name = resource.value(key::name, ""),
                      .amount = resource[key::amount].get<Int>(),
                      .used = resource[key::used].get<double>(),
                      .operand = std::nullopt,
                      .binds = bindings.find(resource[key::binds].get<std::string>()).value(),
                      .step = shown(resource, key::step),
                      .most = shown(resource, key::most)};
      for (const Operand operand : all_operands)
        if (resource.value(key::operand, "") == std::string(1, letter(operand))) row.operand = operand;
      rows.push_back(std::move(row));
    }
    text += resources_text(record.layer.name, run.objective, rows, "twice");
  }
  return text;
}

}  // namespace nestor::report
