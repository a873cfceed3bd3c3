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

void describe_point(Fields& fields, MappedPoint& point, const NamedArchitecture& architecture) {
  add_count(fields, key::latency_cycles, point.latency_cycles, "Under the latency model of the run.");
  add_figure(fields, key::energy_pj, point.energy_pj, "Energy, including leakage over the latency.");
  add_figure(fields, key::edp, point.edp, "energy_pj * latency_cycles");
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    point.mapping = read_mapping_node(node, architecture, reading);
  };
  const auto write = [&] { return point.mapping ? mapping_to_json(*point.mapping, architecture) : Json(); };
  fields.field({key::mapping, optional, read, [] {}, write, [] { return mapping_schema(); }, ""});
  describe_padded(fields, point);
}

void describe_result_of_layer(Fields& fields, LayerResult& layer, const NamedArchitecture& architecture) {
  const auto describe = [&](Fields& inner, MappedPoint& point) {
    describe_point(inner, point, architecture);
  };
  const auto traffic = [] {
    return record_schema({{key::read, count_schema()}, {key::write, count_schema()}}, false);
  };
  fields.text(key::same_as, layer.same_as, "An earlier layer of equal shape that was solved for both.");
  describe_costs(fields, layer);
  add_figure(fields, key::gap, layer.gap, "(objective - lower_bound) / |objective|");
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

void describe_run(Fields& fields, RunResult& run) {
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    run.architecture = read_architecture_node(node, reading);
  };
  describe_run_head(fields, run, [&](Fields& head) {
    head.field({key::architecture, required, read, [] {},
                [&] { return architecture_to_json(run.architecture); },
                [] {
                  return Json{{"$ref", "architecture.schema.json"}};
                },
                "The whole machine, in the form of its file."});
  });
  describe_layers(
      fields, run.layers,
      [&](Fields& layer, LayerResult& result) { describe_result_of_layer(layer, result, run.architecture); },
      [](const Node&, const LayerResult&, Reading&) {});
  describe_run_end(fields, run, run.unmapped, compute_totals(run.layers, run.objective.name));
}

}  // namespace

Json result_to_json(const RunResult& result) {
  RunResult written = result;
  return write_fields([&](Fields& fields) { describe_run(fields, written); });
}

Json result_schema_of_cim() {
  RunResult run;
  return schema_of([&](Fields& fields) { describe_run(fields, run); }, SchemaKind::output);
}

RunResult read_result_node(const Node& root, Reading& reading) {
  RunResult run;
  read_fields(root, "result", reading, [&](Fields& fields) { describe_run(fields, run); });
  // Without a latency model, the default remains.
  const auto objective = root.find(key::objective);
  if (const auto model = objective ? objective->find(key::latency_model) : std::nullopt)
    read_word(*model, "latency_model", latency_models.words, reading);
  else
    run.objective.latency_model = RunResult().objective.latency_model;
  return run;
}

Result<RunResult> parse_result(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file, result_limits);
  if (!document) return document.error();
  if (auto error = check_schema(document->root())) return *error;
  Reading reading;
  auto result = read_result_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return result;
}

Result<RunResult> read_result(const std::string& path) {
  const auto text = read_file(path, result_limits.bytes);
  if (!text) return text.error();
  return parse_result(*text, path);
}

MaybeError write_result(const std::filesystem::path& path, const RunResult& result) {
  return write_json(path, result_to_json(result));
}

ResultTotals compute_totals(const std::vector<LayerResult>& layers, std::string_view objective) {
  TotalsSum sum(objective);
  for (const auto& layer : layers) {
    sum.add_layer(layer.layer, layer.best.objective, layer.lower_bound);
    if (const auto* const point = layer.counted())
      sum.add_mapping(layer.layer, point->latency_cycles.value_or(0), point->energy_pj.value_or(0));
  }
  return sum.totals();
}

void set_figures(LayerResult& layer, const cim::CimEvaluation& evaluation,
                 const NamedArchitecture& architecture, cim::LatencyModel model) {
  layer.best.latency_cycles = evaluation.cycles(model);
  layer.best.energy_pj = evaluation.total_energy_pj(architecture.machine, model);
  layer.best.edp = evaluation.edp(architecture.machine, model);
  const auto json = evaluation_to_json(evaluation, architecture);
  layer.usage_bits = json.at(key::usage_bits);
  layer.traffic_bits = json.at(key::traffic_bits);
}

void set_spent_cycles(LayerResult& layer, const cim::SpentCycles& spent,
                      const NamedArchitecture& architecture) {
  layer.spent_cycles = {{key::compute, spent.compute}};
  for (const auto& wait : spent.waits)
    layer.spent_cycles[fmt::format("{}/{}", architecture.memory_names[wait.memory], letter(wait.operand))] =
        wait.cycles;
}

}  // namespace nestor::io
