#include "report/cim/map_tables.h"

#include <fmt/format.h>

#include "report/cim/explanation.h"
#include "report/cim/mapping_text.h"
#include "report/cim/totals.h"
#include "report/front_tables.h"
#include "report/goal_columns.h"
#include "report/layer_findings.h"
#include "report/network_text.h"
#include "report/part_costs_text.h"
#include "report/resource_table.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

namespace {

template <typename T, typename Show>
std::string or_dash(const std::optional<T>& value, Show show) {
  return value ? show(*value) : "-";
}

std::vector<std::string> layer_row(const io::CimRun& run, const GoalColumns& columns,
                                   const io::CimRecord& record) {
  const auto& best = record.best;
  const auto use = [&](Int cycles) {
    return io::percent_text(
        utilisation(product_of<double>(record.layer.shape.bounds), cycles, run.machine.machine));
  };
  auto row = columns.layer_cells(record.layer, record.status, best.objective, record.lower_bound);
  row.insert(row.end(),
             {or_dash(best.latency_cycles, io::count_text), or_dash(best.energy_pj, io::energy_text)});
  if (is_repeated(record))
    row.insert(row.end(), {"as " + record.same_as, ""});
  else if (record.search)
    row.insert(row.end(), {io::count_text(record.search->nodes()), seconds_text(record.search->seconds)});
  else
    row.insert(row.end(), {"-", "-"});
  row.push_back(or_dash(best.latency_cycles, use));
  return row;
}

void add_totals(io::Table& table, const io::CimRun& run, const GoalColumns& columns,
                const io::ResultTotals& totals) {
  const auto [nodes, seconds] = search_totals(run);
  table.add_rule();
  auto row = columns.totals_cells(totals);
  row.insert(row.end(), {io::count_text(totals.latency_cycles), io::energy_text(totals.energy_pj),
                         io::count_text(nodes), seconds_text(seconds),
                         io::percent_text(utilisation(static_cast<double>(totals.macs), totals.latency_cycles,
                                                      run.machine.machine))});
  table.add_row(std::move(row));
}

// Returns a note about the difference between latency models. `miredo` omits the first tiles and returning
// partial sums. The stall model, which the replay confirms within a few per cent, shows the size of this
// difference for a mapping.
std::string miredo_note(const io::CimRun& run) {
  if (run.objective.latency_model != "miredo") return {};
  constexpr double much = 1.05;
  double miredo = 0;
  double stall = 0;
  double worst = 1;
  std::string name;
  for (const auto& record : run.layers) {
    if (!record.best.mapping) continue;
    const auto shape = record.best.nest(record.layer.shape);
    const auto evaluation = cim::evaluate(shape, run.machine.machine, *record.best.mapping);
    const auto repeat = static_cast<double>(record.layer.repeat);
    miredo += repeat * static_cast<double>(evaluation.miredo_cycles);
    stall += repeat * static_cast<double>(evaluation.stall_cycles);
    const double ratio =
        static_cast<double>(evaluation.stall_cycles) / static_cast<double>(evaluation.miredo_cycles);
    if (ratio > worst) {
      worst = ratio;
      name = record.layer.name;
    }
  }
  if (worst < much) return {};
  return fmt::format(
      "warning: the stall model, which the replay confirms, gives these mappings {:.2f} times the cycles, {} "
      "{:.2f} "
      "times: see `nestor simulate`, or map with --latency-model stall\n",
      stall / miredo, name, worst);
}

std::string nest_text(const io::CimRun& run, const io::CimRecord& record) {
  if (!record.best.mapping || is_repeated(record)) return {};
  const auto shape = record.best.nest(record.layer.shape);
  const auto evaluation = cim::evaluate(shape, run.machine.machine, *record.best.mapping);
  return fmt::format("\n{}: {}\n\n{}", record.layer.name, mapped_shape_text(record.layer.shape, shape),
                     mapping_text(*record.best.mapping, evaluation, run.machine));
}

}  // namespace

std::string map_tables_text(const io::CimRun& run, const io::RunOptions& options) {
  if (run.objective.name == "pareto")
    return fmt::format("{} on {}, latency-energy fronts, {}, latency model {}\n\n{}", run.network,
                       run.machine.name, io::members_text(run.options), run.objective.latency_model,
                       fronts_text(run));
  const GoalColumns columns(run.objective.name, is_open(run.layers));
  auto table = columns.table_with({{"cycles"}, {"energy"}, {"nodes"}, {"time"}, {"utilisation"}});
  std::size_t solved = 0;
  for (const auto& record : run.layers) {
    table.add_row(layer_row(run, columns, record));
    if (!is_repeated(record)) ++solved;
  }
  const auto totals = io::compute_totals(run);
  if (run.layers.size() > 1) add_totals(table, run, columns, totals);
  const auto aim =
      is_search(options.map_method)
          ? fmt::format(", least {}, {}", run.objective.name, io::members_text(run.options))
          : fmt::format(" by {}, judged by {}", io::find_option(io::Verb::map, "method")->get(options),
                        run.objective.name);
  auto text = fmt::format("{} on {}{}, latency model {}\n\n{}", run.network, run.machine.name, aim,
                          run.objective.latency_model, table.to_string());
  const auto notes = padded_layers_text(run.layers) + ties_text(run.layers) +
                     edp_text(totals.edp_sum, run.layers.size()) + totals_text(totals, run.machine.machine) +
                     estimates_note(run.machine) + spending_text(run) + miredo_note(run);
  if (!notes.empty()) text += "\n" + notes;
  if (options.top > 1) text += alternatives_text(run);
  if (solved == 1 || options.nests)
    for (const auto& record : run.layers) text += nest_text(run, record);
  return text + explanation_text(run);
}

}  // namespace nestor::report
