#include "report/pim/map_tables.h"

#include <fmt/format.h>

#include <cmath>

#include "report/network_text.h"
#include "report/resource_table.h"
#include "report/results/pim/texts.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

std::string objective_text(const io::pim::RunRecord& run, double value) {
  if (run.objective == "latency") return io::count_text(static_cast<Int>(std::llround(value)));
  return run.objective == "energy" ? io::energy_text(value) : io::figure_text(value);
}

namespace {

using io::pim::LayerRecord;
using io::pim::RunRecord;

std::string gap_text(const LayerRecord& record) {
  if (!record.best.objective || !record.lower_bound) return "-";
  const double gap = gap_between(*record.best.objective, *record.lower_bound);
  return gap <= 0 ? "0" : io::percent_text(gap);
}

// What --top asks for beyond the best.
std::string alternatives_text(const RunRecord& run) {
  io::Table table({{"layer", io::Align::left}, {"rank"}, {"objective"}, {"cycles"}, {"energy"}});
  bool any = false;
  for (const auto& record : run.layers)
    for (std::size_t i = 0; i < record.alternatives.size(); ++i) {
      const auto& point = record.alternatives[i];
      table.add_row({i == 0 ? record.layer.name : "", fmt::format("{}", i + 2),
                     objective_text(run, *point.objective), io::count_text(point.evaluation->latency_cycles),
                     io::energy_text(point.evaluation->total_energy_pj(run.machine.machine))});
      any = true;
    }
  return any ? "\n" + table.to_string() : "";
}

}  // namespace

std::string map_tables_text(const RunRecord& run, const io::RunOptions& options, double seconds) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"status", io::Align::left},
                   {"bound"},
                   {"gap"},
                   {"cycles"},
                   {"compute"},
                   {"rows opened"},
                   {"energy"},
                   {"layouts I, W, O", io::Align::left},
                   {"nodes"}});
  Int cycles = 0;
  double energy = 0;
  for (const auto& record : run.layers) {
    const std::string status(record.status ? to_string(*record.status) : "heuristic");
    if (!record.best.evaluation) {
      table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), status});
      continue;
    }
    const auto& evaluation = *record.best.evaluation;
    Int rows = 0;
    for (const Int count : evaluation.row_activations) rows += count;
    std::string layouts;
    for (const Operand operand : all_operands)
      layouts += (layouts.empty() ? "" : ", ") +
                 io::pim::layout_text(record.best.mapping->layouts[index_of(operand)], operand);
    table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), status,
                   record.lower_bound ? objective_text(run, *record.lower_bound) : "-", gap_text(record),
                   io::count_text(evaluation.latency_cycles), io::count_text(evaluation.compute_cycles),
                   io::count_text(rows), io::energy_text(evaluation.total_energy_pj(run.machine.machine)),
                   layouts, io::count_text(record.search ? record.search->nodes() : 0)});
    cycles += record.layer.repeat * evaluation.latency_cycles;
    energy += static_cast<double>(record.layer.repeat) * evaluation.total_energy_pj(run.machine.machine);
  }
  table.add_rule();
  table.add_row(
      {"all, repeats counted", "", "", "", "", io::count_text(cycles), "", "", io::energy_text(energy)});
  const auto members =
      options.map_method == MapMethod::optimal ? ", " + io::members_text(run.options) : std::string();
  auto text = fmt::format("{} on {}, {}{}\n\n{}\n{:.1f} s\n", run.network, run.machine.name, run.objective,
                          members, table.to_string(), seconds);
  text += padded_layers_text(run.layers);
  for (const auto& record : run.layers) {
    if (record.front.empty()) continue;
    io::Table front({{"cycles"}, {"energy"}});
    for (const auto& point : record.front)
      front.add_row({io::count_text(point.evaluation->latency_cycles),
                     io::energy_text(point.evaluation->total_energy_pj(run.machine.machine))});
    text += fmt::format("\n{}\n{}", record.layer.name, front.to_string());
  }
  text += alternatives_text(run);
  text += explanation_text(run, "twice");
  if (options.nests)
    for (const auto& record : run.layers)
      if (record.best.evaluation)
        text += fmt::format("\n{}\n{}", record.layer.name,
                            io::pim::mapping_text(record.best.nest(record.layer.shape), *record.best.mapping,
                                                  *record.best.evaluation, run.machine));
  return text;
}

std::string evaluations_text(const io::pim::RunRecord& run) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"cycles"},
                   {"compute"},
                   {"row activations"},
                   {"energy"},
                   {"EDP pJ*cycles"}});
  for (const auto& record : run.layers) {
    if (!record.best.evaluation) {
      table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), "no mapping"});
      continue;
    }
    const auto& evaluation = *record.best.evaluation;
    Int rows = 0;
    for (const Int count : evaluation.row_activations) rows += count;
    table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat),
                   io::count_text(evaluation.latency_cycles), io::count_text(evaluation.compute_cycles),
                   io::count_text(rows), io::energy_text(evaluation.energy_pj),
                   io::figure_text(evaluation.edp())});
  }
  return fmt::format("{} on {}\n\n{}", run.network, run.machine.name, table.to_string());
}

}  // namespace nestor::report
