// Section of the HTML report for a sweep: pictures of figures over parameters and against each other, and a
// table of all rows.
#include <fmt/format.h>

#include <algorithm>

#include "report/html/figures.h"
#include "report/html/markup.h"
#include "report/html/sections.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/sweep/sweep_plot.h"

namespace nestor::report::html {
namespace {

using io::Json;

constexpr std::size_t most_networks = 8;  // networks with pictures

Json object_of(const Json& value) { return value.is_object() ? value : Json::object(); }

std::vector<SweepRow> rows_of(const Json& sweep) {
  std::vector<SweepRow> rows;
  for (const auto& json : at(sweep, key::rows)) {
    auto& row = rows.emplace_back();
    row.machine = text_of(at(json, key::machine));
    row.parameters = object_of(at(json, key::parameters));
    row.network = text_of(at(json, key::network));
    row.run = object_of(at(json, key::run));
    row.layer = text_of(at(json, key::layer));
    row.latency = number_of(at(json, key::latency_cycles));
    row.energy = number_of(at(json, key::energy_pj));
    row.edp = number_of(at(json, key::edp));
    row.area = number_of(at(json, key::area_mm2));
  }
  return rows;
}

std::string table_of_rows(const Json& sweep) {
  const auto& rows = at(sweep, key::rows);
  const auto any_has = [&](std::string_view key) {
    return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return !at(row, key).is_null(); });
  };
  std::vector<HtmlColumn> columns = {{"machine", false}, {"network", false}};
  const bool with_layers = any_has(key::layer);
  if (with_layers) columns.insert(columns.end(), {{"layer", false}, {"repeat"}});
  columns.insert(columns.end(), {{"run", false}, {"status", false}});
  const bool with_objectives = any_has(key::objective);
  if (with_objectives) columns.push_back({"objective"});
  columns.insert(columns.end(), {{"cycles"}, {"energy"}, {"EDP, pJ x cycles"}});
  const bool with_area = any_has(key::area_mm2);
  if (with_area) columns.push_back({"area, mm2"});
  const bool with_pareto = any_has(key::pareto);
  if (with_pareto) columns.push_back({"Pareto-optimal", false});
  const bool with_errors = any_has(key::error);
  if (with_errors) columns.push_back({"error", false});
  HtmlTable table("Rows of the sweep; figures are sums over all layers and their repeats", columns);
  for (const auto& row : rows) {
    std::vector<std::string> cells = {escaped(text_of(at(row, key::machine))),
                                      escaped(text_of(at(row, key::network)))};
    if (with_layers)
      cells.insert(cells.end(),
                   {escaped(text_of(at(row, key::layer))), figure(at(row, key::repeat), Style::count)});
    cells.insert(cells.end(),
                 {escaped(run_text(object_of(at(row, key::run)))), status_mark(at(row, key::status))});
    if (with_objectives) cells.push_back(figure(at(row, key::objective), Style::plain));
    cells.insert(cells.end(),
                 {figure(at(row, key::latency_cycles), Style::count),
                  figure(at(row, key::energy_pj), Style::energy), figure(at(row, key::edp), Style::plain)});
    if (with_area) cells.push_back(figure(at(row, key::area_mm2), Style::plain));
    if (with_pareto) cells.emplace_back(at(row, key::pareto) == Json(true) ? "yes" : "");
    if (with_errors) cells.push_back(escaped(text_of(at(row, key::error))));
    table.add_row(cells);
  }
  return table.to_string();
}

// Returns the runs of the rows, as texts.
std::vector<std::string> runs_of(const std::vector<SweepRow>& rows) {
  std::vector<std::string> runs;
  for (const auto& row : rows)
    if (auto run = run_text(row.run); std::find(runs.begin(), runs.end(), run) == runs.end())
      runs.push_back(std::move(run));
  return runs;
}

// Returns the pictures of one network: latency against energy, and each figure over the parameters that vary.
// A heat map shows a single run, so there is one for each of the first runs.
std::string pictures_of(const std::string& plan, const std::vector<SweepRow>& rows) {
  constexpr std::size_t most_runs = 4;
  if (rows.size() < 2) return "";
  std::string content;
  if (const auto picture = sweep_plot(plan, rows, {"latency", "energy"}))
    content += with_caption(*picture, "Latency and energy. Coloured points are Pareto-optimal.");
  auto axes = varying_parameters(rows);
  if (axes.size() > 2) axes.resize(2);
  const auto is_parameter = [&](const std::string& axis) { return rows.front().parameters.contains(axis); };
  const bool is_map = axes.size() == 2 && is_parameter(axes[0]) && is_parameter(axes[1]);
  const auto runs = is_map ? runs_of(rows) : std::vector<std::string>{""};
  for (std::size_t i = 0; i < std::min(runs.size(), most_runs); ++i) {
    std::vector<SweepRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](const SweepRow& row) { return !is_map || run_text(row.run) == runs[i]; });
    for (const char* const figure : {"latency", "energy", "edp"}) {
      axes.emplace_back(figure);
      if (const auto picture = sweep_plot(plan, own, axes))
        content +=
            with_caption(*picture, is_map ? "Darker is higher. Run: " + runs[i] : "Figure over parameters");
      axes.pop_back();
    }
  }
  return element("div", {{"class", "pictures"}}, content);
}

}  // namespace

std::string sweep_section(const Json& sweep) {
  const auto rows = rows_of(sweep);
  std::vector<std::string> networks;
  for (const auto& row : rows)
    if (std::find(networks.begin(), networks.end(), row.network) == networks.end())
      networks.push_back(row.network);
  std::string content;
  for (std::size_t i = 0; i < std::min(networks.size(), most_networks); ++i) {
    std::vector<SweepRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](const SweepRow& row) { return row.network == networks[i]; });
    content += part(3, shortened(networks[i], 60), pictures_of(text_of(at(sweep, key::plan)), own));
  }
  if (networks.size() > most_networks)
    content += text_element(
        "p", {{"class", "note"}},
        fmt::format("Pictures of {} more networks are left out.", networks.size() - most_networks));
  return content + part(3, "Rows", table_of_rows(sweep));
}

}  // namespace nestor::report::html
