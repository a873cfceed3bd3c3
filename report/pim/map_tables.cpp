#include "report/pim/map_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/front_tables.h"
#include "report/goal_columns.h"
#include "report/keys/common.h"
#include "report/layer_findings.h"
#include "report/network_text.h"
#include "report/part_costs_text.h"
#include "report/resource_table.h"
#include "report/results/pim/texts.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

namespace {

using io::pim::PimRecord;
using io::pim::PimRun;

// Returns the part of the machine that limits the cycles: compute, or the slowest memory.
std::string limit_text(const nestor::pim::PimEvaluation& evaluation,
                       const io::pim::NamedPimMachine& machine) {
  if (evaluation.compute_cycles == evaluation.latency_cycles) return key::compute;
  for (std::size_t m = 0; m < machine.memory_names.size(); ++m) {
    const auto& cycles = evaluation.memory_cycles[m];
    if (evaluation.latency_cycles ==
        (machine.machine.memories[m].shared_port ? cycles.shared : cycles.per_operand))
      return machine.memory_names[m];
  }
  return "-";
}

Int rows_opened(const nestor::pim::PimEvaluation& evaluation) {
  Int rows = 0;
  for (const Int count : evaluation.row_activations) rows += count;
  return rows;
}

Int all_rows_opened(const PimRun& run) {
  Int rows = 0;
  for (const auto& record : run.layers)
    if (record.best.evaluation)
      io::add_product(rows, record.layer.repeat, rows_opened(*record.best.evaluation));
  return rows;
}

// Returns the layouts of the operands, as one word if they are equal.
std::string layouts_text(const nestor::pim::PimMapping& mapping) {
  std::vector<std::string> texts;
  for (const Operand operand : all_operands)
    texts.push_back(io::pim::layout_text(mapping.layouts[index_of(operand)], operand));
  if (texts[0] == texts[1] && texts[1] == texts[2]) return texts[0];
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> layer_row(const PimRun& run, const GoalColumns& columns, const PimRecord& record) {
  auto row = columns.layer_cells(record.layer, record.status, record.best.objective, record.lower_bound);
  if (!record.best.evaluation) return row;
  const auto& evaluation = *record.best.evaluation;
  row.insert(row.end(), {io::count_text(evaluation.latency_cycles), limit_text(evaluation, run.machine),
                         io::count_text(rows_opened(evaluation)),
                         io::energy_text(evaluation.total_energy_pj(run.machine.machine)),
                         layouts_text(*record.best.mapping),
                         is_repeated(record) ? "as " + record.same_as
                                             : io::count_text(record.search ? record.search->nodes() : 0)});
  return row;
}

void add_totals(io::Table& table, const PimRun& run, const GoalColumns& columns,
                const io::ResultTotals& totals) {
  auto row = columns.totals_cells(totals);
  row.insert(row.end(), {io::count_text(totals.latency_cycles), "", io::count_text(all_rows_opened(run)),
                         io::energy_text(totals.energy_pj), "", io::count_text(search_totals(run).nodes)});
  table.add_rule();
  table.add_row(std::move(row));
}

// Returns a table with a row for each layer, or the ends and the points of each layer's front.
std::string layers_text(const PimRun& run, const io::ResultTotals& totals) {
  if (run.objective.name == "pareto") return fronts_text(run);
  const GoalColumns columns(run.objective.name, is_open(run.layers));
  auto table = columns.table_with({{"cycles"},
                                   {"limited by", io::Align::left},
                                   {"rows opened"},
                                   {"energy"},
                                   {"layouts I, W, O", io::Align::left},
                                   {"nodes"}});
  for (const auto& record : run.layers) table.add_row(layer_row(run, columns, record));
  if (run.layers.size() > 1) add_totals(table, run, columns, totals);
  return table.to_string();
}

}  // namespace

std::string map_tables_text(const PimRun& run, const io::RunOptions& options, double seconds) {
  const auto totals = io::compute_totals(run);
  const auto members = is_search(options.map_method) ? ", " + io::members_text(run.options) : std::string();
  auto text = fmt::format("{} on {}, {}{}\n\n{}\n{}{}{}{}{:.1f} s\n", run.network, run.machine.name,
                          run.objective.name, members, layers_text(run, totals),
                          padded_layers_text(run.layers), ties_text(run.layers),
                          edp_text(totals.edp_sum, run.layers.size()), estimates_note(run.machine), seconds);
  if (options.top > 1) text += alternatives_text(run);
  text += explanation_text(run);
  if (options.nests)
    for (const auto& record : run.layers)
      if (record.best.evaluation && !is_repeated(record))
        text += fmt::format("\n{}\n{}", record.layer.name,
                            io::pim::mapping_text(record.best.nest(record.layer.shape), *record.best.mapping,
                                                  *record.best.evaluation, run.machine));
  return text;
}

std::string evaluations_text(const io::pim::PimRun& run) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"cycles"},
                   {"limited by", io::Align::left},
                   {"rows opened"},
                   {"energy"},
                   {"EDP pJ*cycles"}});
  const auto& machine = run.machine.machine;
  for (const auto& record : run.layers) {
    if (!record.best.evaluation) {
      table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), "no mapping"});
      continue;
    }
    const auto& evaluation = *record.best.evaluation;
    const double energy = evaluation.total_energy_pj(machine);
    table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat),
                   io::count_text(evaluation.latency_cycles), limit_text(evaluation, run.machine),
                   io::count_text(rows_opened(evaluation)), io::energy_text(energy),
                   io::figure_text(energy * static_cast<double>(evaluation.latency_cycles))});
  }
  if (run.layers.size() > 1) {
    const auto totals = io::compute_totals(run);
    table.add_rule();
    table.add_row({"all, repeats counted", "", io::count_text(totals.latency_cycles), "",
                   io::count_text(all_rows_opened(run)), io::energy_text(totals.energy_pj),
                   io::figure_text(totals.edp)});
  }
  return fmt::format("{} on {}\n\n{}{}", run.network, run.machine.name, table.to_string(),
                     padded_layers_note(run.layers));
}

std::string row_models_text(const io::pim::PimRun& run) {
  io::Table table({{"layer", io::Align::left},
                   {"operand", io::Align::left},
                   {"rows opened"},
                   {"hybrid"},
                   {"error"},
                   {"cycles"},
                   {"hybrid"}});
  bool any = false;
  for (const auto& record : run.layers) {
    if (record.row_models.empty()) continue;
    const auto& exact = record.row_models[static_cast<std::size_t>(nestor::pim::RowModel::exact)];
    const auto& hybrid = record.row_models[static_cast<std::size_t>(nestor::pim::RowModel::hybrid)];
    for (const Operand operand : all_operands) {
      if (!run.machine.machine.has_rows(operand)) continue;
      const Int rows = exact.row_activations[index_of(operand)];
      const Int formula = hybrid.row_activations[index_of(operand)];
      const double error = rows == 0 ? 0 : static_cast<double>(formula - rows) / static_cast<double>(rows);
      table.add_row({record.layer.name, std::string(1, letter(operand)), io::count_text(rows),
                     io::count_text(formula), io::percent_text(error), io::count_text(exact.latency_cycles),
                     io::count_text(hybrid.latency_cycles)});
      any = true;
    }
  }
  return any ? "\n" + table.to_string() : std::string();
}

}  // namespace nestor::report
