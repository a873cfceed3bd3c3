#include "report/results/chip/evaluation_json.h"

#include <limits>

#include "io/chip/decisions_file.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/result_parts.h"
#include "solver/search/tolerance.h"

namespace nestor::io {
namespace {

Json figures_to_json(const chip::OperatorFigures& figures, const std::string& name, bool stream) {
  Json json = {{key::name, name},
               {key::on, figures.on_array ? "array" : "alu"},
               {key::copies, figures.copies},
               {key::parts, figures.parts},
               {key::phases, figures.phases},
               {key::cores, figures.cores},
               {key::first_core, figures.first_core ? Json(*figures.first_core) : Json(nullptr)},
               {key::crossbars, figures.crossbars},
               {key::mvm_cycles, figures.mvm_cycles},
               {"row_cycles", figures.row_cycles},
               {key::rows_at_once, figures.rows_at_once},
               {"in_cycles", figures.in_cycles},
               {"out_cycles", figures.out_cycles},
               {key::start, figures.start},
               {key::first_row, figures.first_row},
               {key::end, figures.end},
               {"address", figures.address}};
  if (stream) json[key::run] = figures.run;
  return json;
}

}  // namespace

Json chip_evaluation_to_json(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network) {
  Json json = {{key::latency_cycles, evaluation.latency_cycles},
               {key::energy_pj, evaluation.energy_pj},
               {key::peak_power, evaluation.peak_power},
               {key::peak_crossbars, evaluation.peak_crossbars},
               {key::cores, evaluation.cores},
               {"l0_bits", evaluation.l0_bits},
               {"alu_ops", evaluation.alu_ops},
               {"rows_written", evaluation.rows_written}};
  auto& segments = json[key::segments] = Json::array();
  for (const auto& segment : evaluation.segments) {
    Json entry = {{key::from, network.operators[segment.decision.first].name},
                  {key::to, network.operators[segment.decision.last].name},
                  {key::pipeline, chip_pipeline_to_json(segment.decision)},
                  {key::latency_cycles, segment.latency_cycles},
                  {key::rewrite_cycles, segment.rewrite_cycles},
                  {key::schedule_cycles, segment.schedule_cycles},
                  {key::spill_cycles, segment.spill_cycles},
                  {key::cores, segment.cores},
                  {key::crossbars, segment.crossbars},
                  {"l0_bytes", segment.l0_bytes},
                  {"weight_bits", segment.weight_bits}};
    auto& operators = entry[key::operators] = Json::array();
    for (std::size_t i = segment.decision.first; i <= segment.decision.last; ++i)
      operators.push_back(
          figures_to_json(evaluation.operators[i], network.operators[i].name, segment.decision.stream));
    segments.push_back(std::move(entry));
  }
  return json;
}

chip::ChipEvaluation read_placements(const Json& evaluation) {
  chip::ChipEvaluation read;
  for (const auto& segment : evaluation[key::segments])
    for (const auto& op : segment[key::operators]) {
      auto& figures = read.operators.emplace_back();
      figures.on_array = op[key::on] == "array";
      figures.copies = op[key::copies];
      figures.parts = op[key::parts];
      figures.phases = op[key::phases];
      figures.cores = op[key::cores];
      if (!op[key::first_core].is_null()) figures.first_core = op[key::first_core].get<Int>();
      figures.rows_at_once = op[key::rows_at_once];
    }
  return read;
}

Json throughput_to_json(const chip::ChipEvaluation& evaluation) {
  Json json = {{key::interval_cycles, evaluation.interval_cycles}};
  if (evaluation.images_per_second > 0) json["images_per_second"] = evaluation.images_per_second;
  return json;
}

Json chip_totals_to_json(const chip::ChipNetwork& network, Int latency_cycles, double energy_pj,
                         std::optional<double> objective, std::optional<double> lower_bound) {
  ResultTotals totals;
  totals.layers = totals.mapped = static_cast<Int>(network.operators.size());
  for (const auto& op : network.operators)
    add_product(totals.macs, chip::multiplications(op).value_or(std::numeric_limits<Int>::max()), 1);
  totals.latency_cycles = latency_cycles;
  totals.energy_pj = energy_pj;
  totals.edp = totals.energy_pj * static_cast<double>(totals.latency_cycles);
  totals.objective = objective;
  totals.lower_bound = lower_bound;
  if (objective && lower_bound) totals.gap = gap_between(*objective, *lower_bound);
  return measured_totals_to_json(totals);
}

}  // namespace nestor::io
