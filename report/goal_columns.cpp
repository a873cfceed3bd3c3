#include "report/goal_columns.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {

std::string objective_text(std::string_view objective, double value) {
  if (objective == "energy") return io::energy_text(value);
  constexpr double most_digits = 1e15;
  if (objective == "latency" && std::floor(value) == value && std::abs(value) < most_digits)
    return io::count_text(static_cast<Int>(value));
  return io::figure_text(value);
}

GoalColumns::GoalColumns(std::string objective, bool with_bounds)
    : objective_(std::move(objective)),
      has_objective_(objective_ != "latency" && objective_ != "energy" && objective_ != "pareto"),
      has_bounds_(with_bounds) {}

io::Table GoalColumns::table_with(std::vector<io::Column> further) const {
  std::vector<io::Column> all = {{"layer", io::Align::left}, {"repeat"}, {"status", io::Align::left}};
  if (has_objective_) all.push_back({objective_ == "edp" ? "EDP pJ*cycles" : objective_});
  if (has_bounds_) all.insert(all.end(), {{"bound"}, {"gap"}});
  all.insert(all.end(), further.begin(), further.end());
  return io::Table(std::move(all));
}

std::vector<std::string> GoalColumns::layer_cells(const Layer& layer, const std::optional<Status>& status,
                                                  const std::optional<double>& objective,
                                                  const std::optional<double>& lower_bound) const {
  std::vector<std::string> cells = {layer.name, fmt::format("{}", layer.repeat),
                                    status      ? to_string(*status)
                                    : objective ? "heuristic"
                                                : "-"};
  add_goal(cells, objective, lower_bound);
  return cells;
}

std::vector<std::string> GoalColumns::totals_cells(const io::ResultTotals& totals) const {
  std::vector<std::string> cells = {"all, repeats counted", "",
                                    fmt::format("{} of {} mapped", totals.mapped, totals.layers)};
  add_goal(cells, totals.objective, totals.lower_bound);
  return cells;
}

void GoalColumns::add_goal(std::vector<std::string>& cells, const std::optional<double>& objective,
                           const std::optional<double>& lower_bound) const {
  const auto shown = [&](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? objective_text(objective_, *value) : "-";
  };
  if (has_objective_) cells.push_back(shown(objective));
  if (!has_bounds_) return;
  cells.push_back(shown(lower_bound));
  const bool both = objective && lower_bound && std::isfinite(*lower_bound);
  const double gap = both ? gap_between(*objective, *lower_bound) : 0;
  cells.push_back(!both ? "-" : gap <= 0 ? "0" : io::percent_text(gap));
}

}  // namespace nestor::report
