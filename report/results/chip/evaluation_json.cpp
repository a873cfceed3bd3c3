#include "report/results/chip/evaluation_json.h"

#include <array>
#include <limits>
#include <vector>

#include "io/chip/decisions_file.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "solver/search/tolerance.h"

namespace nestor::io {
namespace {

struct OperatorRow {
  std::string name;
  chip::OperatorFigures figures;
  bool is_streamed = false;
};
struct SegmentRow {
  std::string from;
  std::string to;
  chip::SegmentFigures figures;
  std::vector<OperatorRow> operators;
};

void describe_operator_row(Fields& fields, const OperatorRow& row) {
  const auto& figures = row.figures;
  static constexpr std::array<std::string_view, 2> units = {"array", "alu"};
  put(fields, key::name, row.name, "");
  put_word(fields, key::on, units[figures.on_array ? 0 : 1], units, "");
  put(fields, key::copies, figures.copies, "Number of copies of the matrix.");
  put(fields, key::parts, figures.parts, "Number of row parts of the matrix.");
  put(fields, key::phases, figures.phases, "");
  put(fields, key::cores, figures.cores, "");
  put_json(
      fields, key::first_core, always,
      [&] { return figures.first_core ? Json(*figures.first_core) : Json(); },
      [] {
        return Json{{"oneOf", Json::array({count_schema(), Json{{"const", nullptr}}})}};
      },
      "null: not on crossbars.");
  put(fields, key::crossbars, figures.crossbars, "Number of crossbars of all copies.");
  put(fields, key::mvm_cycles, figures.mvm_cycles, "");
  put(fields, "row_cycles", figures.row_cycles, "Cycles of an output row.");
  put(fields, key::rows_at_once, figures.rows_at_once, "");
  put(fields, "in_cycles", figures.in_cycles, "");
  put(fields, "out_cycles", figures.out_cycles, "");
  put(fields, key::start, figures.start, "Start of the first row, in the schedule of its segment.");
  put(fields, key::first_row, figures.first_row, "End of the first row.");
  put(fields, key::end, figures.end, "Time when the last row becomes visible to its readers.");
  put(fields, "address", figures.address, "Byte address of the operator's result in L0.");
  put(fields, key::run, row.is_streamed ? std::optional(figures.run) : std::nullopt,
      "In a stream: start of the steps after the first one, in the first row.");
}

void describe_segment_row(Fields& fields, const SegmentRow& row) {
  const auto& figures = row.figures;
  put(fields, key::from, row.from, "First operator.");
  put(fields, key::to, row.to, "Last operator.");
  put_json(
      fields, key::pipeline, always, [&] { return chip_pipeline_to_json(figures.decision); },
      [] { return chip_pipeline_schema(); }, "");
  put(fields, key::latency_cycles, figures.latency_cycles, "Sum of the following three.");
  put(fields, key::rewrite_cycles, figures.rewrite_cycles, "");
  put(fields, key::schedule_cycles, figures.schedule_cycles, "");
  put(fields, key::spill_cycles, figures.spill_cycles, "");
  put(fields, key::cores, figures.cores, "");
  put(fields, key::crossbars, figures.crossbars, "");
  put(fields, "l0_bytes", figures.l0_bytes, "");
  put(fields, "weight_bits", figures.weight_bits, "");
  put_list(fields, key::operators, row.operators, describe_operator_row, "");
}

std::vector<SegmentRow> rows_of(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network) {
  std::vector<SegmentRow> rows;
  for (const auto& segment : evaluation.segments) {
    const auto [first, last, pipeline, stream] = segment.decision;
    auto& row = rows.emplace_back(
        SegmentRow{network.operators[first].name, network.operators[last].name, segment, {}});
    for (std::size_t i = first; i <= last; ++i)
      row.operators.push_back({network.operators[i].name, evaluation.operators[i], stream});
  }
  return rows;
}

}  // namespace

void describe_evaluation(Fields& fields, const chip::ChipEvaluation& evaluation,
                         const chip::ChipNetwork& network) {
  put(fields, key::latency_cycles, evaluation.latency_cycles, "");
  put(fields, key::energy_pj, evaluation.energy_pj, "");
  put(fields, key::peak_power, evaluation.peak_power, "Picojoules per cycle.");
  put(fields, key::peak_crossbars, evaluation.peak_crossbars, "");
  put(fields, key::cores, evaluation.cores, "Number of cores of the segment with the most cores.");
  put(fields, "l0_bits", evaluation.l0_bits, "");
  put(fields, "alu_ops", evaluation.alu_ops, "");
  put(fields, "rows_written", evaluation.rows_written, "");
  put_list(fields, key::segments, rows_of(evaluation, network), describe_segment_row, "");
}

Json chip_evaluation_to_json(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network) {
  return write_fields([&](Fields& fields) { describe_evaluation(fields, evaluation, network); });
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

void describe_throughput(Fields& fields, const chip::ChipEvaluation& evaluation) {
  put(fields, key::interval_cycles, evaluation.interval_cycles,
      "Cycles per image of a batch in which every operator of a segment processes a different image.");
  put(fields, "images_per_second",
      evaluation.images_per_second > 0 ? std::optional(evaluation.images_per_second) : std::nullopt,
      "Of a batch; present if the architecture has a clock.");
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
