#include "report/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

// Statuses from worst to best.
constexpr std::array<std::string_view, 13> ranks = {
    "failed",     "infeasible", "todo",      "running",  "interrupted", "memory_limit", "time_limit",
    "work_limit", "heuristic",  "estimated", "imported", "gap_reached", "optimal"};

std::size_t rank(std::string_view status) {
  return static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), status) - ranks.begin());
}

std::string status_of(const io::StoredRow& row) { return row.state == "done" ? row.found.status : row.state; }

SweepRow begin_row(const io::StoredRow& stored) {
  SweepRow row;
  row.machine = stored.machine;
  row.parameters = io::Json::parse(stored.parameters, nullptr, false);
  row.network = stored.network;
  row.run = io::Json::parse(stored.run, nullptr, false);
  if (!row.parameters.is_object()) row.parameters = io::Json::object();
  if (!row.run.is_object()) row.run = io::Json::object();
  row.status = status_of(stored);
  row.latency = 0;
  row.energy = 0;
  row.area = stored.found.area;
  return row;
}

void add(std::optional<double>& sum, const std::optional<double>& figure, Int repeat) {
  if (sum && figure)
    *sum += *figure * static_cast<double>(repeat);
  else
    sum.reset();
}

void add_layer(SweepRow& row, const io::StoredRow& stored, Int repeat) {
  add(row.latency, stored.found.latency, repeat);
  add(row.energy, stored.found.energy, repeat);
  row.seconds += stored.found.seconds;
  const auto status = status_of(stored);
  if (rank(status) < rank(row.status)) row.status = status;
  if (stored.layer.empty()) row.objective = stored.found.objective;
  if (row.error.empty() && !stored.found.error.empty())
    row.error = stored.layer.empty() ? stored.found.error
                                     : fmt::format("layer '{}': {}", stored.layer, stored.found.error);
}

void finish_row(SweepRow& row) {
  if (row.latency && row.energy) row.edp = *row.latency * *row.energy;
}

bool is_one_row(const io::StoredRow& a, const io::StoredRow& b) {
  return a.machine == b.machine && a.network == b.network && a.run == b.run;
}

bool dominates(const SweepRow& a, const SweepRow& b, std::span<const std::string> figures) {
  bool better = false;
  for (const auto& name : figures) {
    if (*a.figure(name) > *b.figure(name)) return false;
    better = better || *a.figure(name) < *b.figure(name);
  }
  return better;
}

// Returns the names that occur in any row, in order of appearance.
std::vector<std::string> names_of(std::span<const SweepRow> rows, io::Json SweepRow::*map) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    for (const auto& [name, value] : (row.*map).items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::string set_value(const io::Json& map, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + "\n";
}

std::string plain(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

std::string option_of(const SweepRow& row, const std::string& name, std::string_view by_default) {
  const auto value = set_value(row.run, name);
  return value.empty() ? std::string(by_default) : value;
}

bool is_optimal_method(const SweepRow& row) { return option_of(row, "method", "optimal") == "optimal"; }

bool minimises_latency(const SweepRow& row) {
  return is_optimal_method(row) && option_of(row, "objective", "latency") == "latency";
}

bool has_objectives(std::span<const SweepRow> rows) {
  return std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.objective.has_value(); });
}
bool is_per_layer(std::span<const SweepRow> rows) { return !rows.empty() && !rows.front().layer.empty(); }

}  // namespace

std::string run_text(const io::Json& run) {
  std::string text;
  for (const auto& [name, value] : run.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, set_value(run, name));
  return text;
}

std::optional<double> SweepRow::figure(std::string_view name) const {
  if (name == "latency") return latency;
  if (name == "energy") return energy;
  if (name == "edp") return edp;
  return name == "area" ? area : std::nullopt;
}

std::vector<SweepRow> sweep_rows(std::span<const io::StoredRow> stored, bool per_layer) {
  std::vector<SweepRow> rows;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const bool begins = per_layer || i == 0 || !is_one_row(stored[i - 1], stored[i]);
    if (begins) rows.push_back(begin_row(stored[i]));
    auto& row = rows.back();
    if (per_layer) {
      row.layer = stored[i].layer;
      row.repeat = stored[i].repeat;
    }
    add_layer(row, stored[i], per_layer ? 1 : stored[i].repeat);
  }
  for (auto& row : rows) finish_row(row);
  return rows;
}

std::size_t mark_pareto(std::vector<SweepRow>& rows, std::span<const std::string> figures) {
  const auto counts = [&](const SweepRow& row) {
    return std::all_of(figures.begin(), figures.end(),
                       [&](const auto& name) { return row.figure(name).has_value(); });
  };
  // After sorting by network, layer and figures, a row can only be dominated by an earlier row.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (counts(rows[i])) order.push_back(i);
  const auto key = [&](std::size_t i) {
    std::vector<double> figures_of_row;
    for (const auto& name : figures) figures_of_row.push_back(*rows[i].figure(name));
    return std::tuple(std::pair(rows[i].network, rows[i].layer), figures_of_row, i);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    if (!front.empty() &&
        (rows[front.front()].network != rows[i].network || rows[front.front()].layer != rows[i].layer))
      front.clear();
    const bool dominated = std::any_of(front.begin(), front.end(), [&](std::size_t other) {
      return dominates(rows[other], rows[i], figures);
    });
    if (dominated) continue;
    rows[i].is_pareto = true;
    front.push_back(i);
  }
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.is_pareto; }));
}

std::vector<std::string> edp_warnings(std::span<const SweepRow> rows) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const SweepRow*> baselines;
  const auto key = [](const SweepRow& row) {
    return std::tuple(std::string_view(row.machine), std::string_view(row.network),
                      std::string_view(row.layer));
  };
  for (const SweepRow& row : rows) {
    if (is_optimal_method(row) || !row.edp) continue;
    const SweepRow*& best = baselines[key(row)];
    if (best == nullptr || *row.edp < *best->edp) best = &row;
  }
  std::vector<std::string> warnings;
  for (const SweepRow& row : rows) {
    const auto best = baselines.find(key(row));
    if (!minimises_latency(row) || !row.edp || best == baselines.end() || *best->second->edp >= *row.edp)
      continue;
    warnings.push_back(
        fmt::format("warning: {}, {}{}: the mapping of least latency has an EDP of {}, {} has {}: "
                    "`objective: edp` minimises it",
                    row.machine, row.network, row.layer.empty() ? "" : fmt::format(", {}", row.layer),
                    io::figure_text(*row.edp), option_of(*best->second, "method", ""),
                    io::figure_text(*best->second->edp)));
  }
  return warnings;
}

std::string sweep_text(std::span<const SweepRow> rows, bool with_pareto, std::size_t most_rows) {
  std::vector<io::Column> columns = {{"machine", io::Align::left}, {"network", io::Align::left}};
  if (is_per_layer(rows)) columns.push_back({"layer", io::Align::left});
  columns.insert(columns.end(), {{"run", io::Align::left}, {"status", io::Align::left}});
  const bool with_objectives = has_objectives(rows);
  if (with_objectives) columns.push_back({"objective"});
  columns.insert(columns.end(), {{"cycles"}, {"energy"}, {"EDP pJ*cycles"}});
  const bool with_area =
      std::any_of(rows.begin(), rows.end(), [](const SweepRow& row) { return row.area.has_value(); });
  if (with_area) columns.push_back({"area mm2"});
  if (with_pareto) columns.push_back({"Pareto", io::Align::left});
  io::Table table(std::move(columns));
  const auto cell = [](const std::optional<double>& value, const auto& text) {
    return value ? text(*value) : std::string("-");
  };
  for (const auto& row : rows.first(std::min(rows.size(), most_rows))) {
    std::vector<std::string> cells = {row.machine, row.network};
    if (is_per_layer(rows)) cells.push_back(row.layer);
    cells.insert(cells.end(), {run_text(row.run), row.status});
    if (with_objectives)
      cells.push_back(cell(row.objective, [](double value) { return io::figure_text(value); }));
    cells.insert(cells.end(),
                 {cell(row.latency, [](double value) { return io::count_text(static_cast<Int>(value)); }),
                  cell(row.energy, [](double value) { return io::energy_text(value); }),
                  cell(row.edp, [](double value) { return io::figure_text(value); })});
    if (with_area) cells.push_back(cell(row.area, [](double value) { return io::figure_text(value); }));
    if (with_pareto) cells.emplace_back(row.is_pareto ? "yes" : "");
    table.add_row(std::move(cells));
  }
  auto text = table.to_string();
  if (rows.size() > most_rows)
    text += fmt::format("... {} more rows: --export FILE.csv writes all\n", rows.size() - most_rows);
  for (const auto& row : rows.first(std::min(rows.size(), most_rows)))
    if (!row.error.empty())
      text += fmt::format("{}, {}, {}: {}\n", row.machine, row.network, run_text(row.run), row.error);
  return text;
}

std::string sweep_csv(std::span<const SweepRow> rows, bool with_pareto) {
  const auto parameters = names_of(rows, &SweepRow::parameters);
  const auto options = names_of(rows, &SweepRow::run);
  std::vector<std::string> head = {key::machine};
  head.insert(head.end(), parameters.begin(), parameters.end());
  head.emplace_back("network");
  if (is_per_layer(rows)) head.insert(head.end(), {key::layer, key::repeat});
  head.insert(head.end(), options.begin(), options.end());
  head.emplace_back(key::status);
  const bool with_objectives = has_objectives(rows);
  if (with_objectives) head.emplace_back("objective_value");
  head.insert(head.end(), {key::latency_cycles, key::energy_pj, key::edp, key::area_mm2, "seconds"});
  if (with_pareto) head.emplace_back(key::pareto);
  head.emplace_back(key::error);
  std::string text = csv_line(head);
  for (const auto& row : rows) {
    std::vector<std::string> fields = {row.machine};
    for (const auto& name : parameters) fields.push_back(set_value(row.parameters, name));
    fields.push_back(row.network);
    if (is_per_layer(rows)) fields.insert(fields.end(), {row.layer, fmt::format("{}", row.repeat)});
    for (const auto& name : options) fields.push_back(set_value(row.run, name));
    fields.push_back(row.status);
    if (with_objectives) fields.push_back(plain(row.objective));
    fields.insert(fields.end(), {plain(row.latency), plain(row.energy), plain(row.edp), plain(row.area),
                                 fmt::format("{}", row.seconds)});
    if (with_pareto) fields.emplace_back(row.is_pareto ? "1" : "0");
    fields.push_back(row.error);
    text += csv_line(fields);
  }
  return text;
}

io::Json sweep_json(std::string_view plan, std::span<const SweepRow> rows, bool with_pareto) {
  io::Json json = {{key::schema, key::sweep_schema}, {key::plan, plan}, {key::rows, io::Json::array()}};
  for (const auto& row : rows) {
    io::Json one = {
        {key::machine, row.machine}, {key::parameters, row.parameters}, {key::network, row.network}};
    if (!row.layer.empty()) {
      one[key::layer] = row.layer;
      one[key::repeat] = row.repeat;
    }
    one[key::run] = row.run;
    one[key::status] = row.status;
    const auto put = [&](const char* name, const std::optional<double>& value) {
      if (value) one[name] = *value;
    };
    put(key::objective, row.objective);
    put(key::latency_cycles, row.latency);
    put(key::energy_pj, row.energy);
    put(key::edp, row.edp);
    put(key::area_mm2, row.area);
    one[key::seconds] = row.seconds;
    if (with_pareto) one[key::pareto] = row.is_pareto;
    if (!row.error.empty()) one[key::error] = row.error;
    json[key::rows].push_back(std::move(one));
  }
  return json;
}

}  // namespace nestor::report
