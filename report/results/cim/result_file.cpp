#include "report/results/cim/result_file.h"

#include <fmt/format.h>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/options.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/cim/evaluation_json.h"

namespace nestor::io {
namespace {

void describe_point(Fields& fields, CimPoint& point, const NamedArchitecture& architecture) {
  add_count(fields, key::latency_cycles, point.latency_cycles, "Under the latency model of the run.");
  add_figure(fields, key::energy_pj, point.energy_pj, "Energy, including leakage over the latency.");
  Json edp;
  if (point.latency_cycles && point.energy_pj)
    edp = figure_to_json(PointCost{*point.latency_cycles, *point.energy_pj}.edp());
  add_output(fields, key::edp, edp, figure_schema, "energy_pj * latency_cycles");
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    point.mapping = read_mapping_node(node, architecture, reading);
  };
  const auto write = [&] { return point.mapping ? mapping_to_json(*point.mapping, architecture) : Json(); };
  fields.field({key::mapping, optional, read, [] {}, write, [] { return mapping_schema(); }, ""});
  describe_padded(fields, point);
}

struct CimResult {
  using Run = CimRun;
  static constexpr const char* machine_schema = "architecture.schema.json";
  static NamedArchitecture read_machine(const Node& node, Reading& reading) {
    return read_architecture_node(node, reading);
  }
  static Json write_machine(const NamedArchitecture& machine) { return architecture_to_json(machine); }
  static void describe_record(Fields& fields, CimRecord& layer, const NamedArchitecture& architecture);
  static void describe_rest(Fields& /*fields*/, CimRun& /*run*/) {}
  static void accept(const Node& /*node*/, const CimRecord& /*record*/, Reading& /*reading*/) {}
};

void CimResult::describe_record(Fields& fields, CimRecord& layer, const NamedArchitecture& architecture) {
  const auto describe = [&](Fields& inner, CimPoint& point) { describe_point(inner, point, architecture); };
  const auto traffic = [] {
    return record_schema({{key::read, count_schema()}, {key::write, count_schema()}}, false);
  };
  describe_costs(fields, layer);
  describe(fields, layer.best);
  add_json(fields, key::usage_bits, layer.usage_bits, count_schema,
           "Bits in use of each memory except homes; double buffers are included twice.");
  add_json(fields, key::traffic_bits, layer.traffic_bits, traffic,
           "Per memory and operand: bits that leave it inward (`read`) and enter it from inside (`write`), "
           "for one instance.");
  add_json(fields, key::spent_cycles, layer.spent_cycles, count_schema,
           "Breakdown of `latency_cycles`: `compute` (all steps one after another), then per memory and "
           "operand the cycles spent waiting for transfers between this memory and the next one inward. "
           "Transfers overlap: each entry includes only cycles that earlier entries do not include. The "
           "largest single wait comes first.");
  describe_mappings(fields, layer, false, describe);
  describe_resources(fields, layer, cim_resource_kinds, describe);
  add_json(fields, key::evaluation, layer.evaluation, any_schema,
           "With evaluate: figures of both latency models.");
  add_count(fields, key::replay_cycles, layer.replay_cycles, "With simulate: cycles of the replay.");
  add_json(fields, key::stalls, layer.stalls, any_schema, "With simulate: cycles of waiting.");
}

}  // namespace

cim::LatencyModel latency_model_of(const CimRun& run) {
  return latency_models.find(run.objective.latency_model).value_or(cim::LatencyModel::stall);
}

std::optional<PointCost> cost_of(const CimPoint& point, const NamedArchitecture& /*architecture*/) {
  if (!point.mapping) return std::nullopt;
  return PointCost{point.latency_cycles.value_or(0), point.energy_pj.value_or(0)};
}

Json run_to_json(const CimRun& run) { return nest_run_to_json<CimResult>(run); }
Json result_schema_of_cim() { return nest_run_schema<CimResult>(); }

Result<CimRun> read_run(const Node& root) {
  auto run = read_nest_run<CimResult>(root);
  if (!run) return run;
  // Without a latency model, the default remains.
  if (run->objective.latency_model.empty()) run->objective.latency_model = CimRun().objective.latency_model;
  return run;
}

void set_cost(CimPoint& point, const cim::CimEvaluation& evaluation, const Architecture& machine,
              cim::LatencyModel model) {
  point.latency_cycles = evaluation.cycles(model);
  point.energy_pj = evaluation.total_energy_pj(machine, model);
}

void set_figures(CimRecord& layer, const cim::CimEvaluation& evaluation,
                 const NamedArchitecture& architecture, cim::LatencyModel model) {
  set_cost(layer.best, evaluation, architecture.machine, model);
  const auto json = evaluation_to_json(evaluation, architecture);
  layer.usage_bits = json.at(key::usage_bits);
  layer.traffic_bits = json.at(key::traffic_bits);
}

void set_spent_cycles(CimRecord& layer, const cim::SpentCycles& spent,
                      const NamedArchitecture& architecture) {
  layer.spent_cycles = {{key::compute, spent.compute}};
  for (const auto& wait : spent.waits)
    layer.spent_cycles[fmt::format("{}/{}", architecture.memory_names[wait.memory], letter(wait.operand))] =
        wait.cycles;
}

}  // namespace nestor::io
