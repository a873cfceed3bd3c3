#include "report/lp_solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/keys/common.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using simplex::Index;
using simplex::LpSolution;
using simplex::LpStatus;

bool has_point(const LpSolution& solution) { return !solution.x.empty() || !solution.row_activity.empty(); }

std::string number_text(double value) { return fmt::format("{:.9g}", value == 0 ? 0.0 : value); }

std::string vector_text(std::string_view what, std::string_view value_title,
                        const std::vector<std::string>& names, const std::vector<double>& values) {
  io::Table table({{std::string(what), io::Align::left}, {std::string(value_title)}});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (values[i] != 0) table.add_row({names[i], number_text(values[i])});
  return "\n" + table.to_string();
}

std::string pairs_text(const std::vector<std::string>& names, const std::vector<double>& values,
                       const std::vector<double>& prices, std::vector<io::Column> titles) {
  if (names.empty()) return {};
  io::Table table(std::move(titles));
  for (std::size_t i = 0; i < names.size(); ++i)
    table.add_row({names[i], number_text(values[i]), number_text(prices[i])});
  return "\n" + table.to_string();
}

// Returns a clause about the range of the program's numbers if it is too wide for the 16 digits of a double.
// A wide range is the most common cause of numerical trouble.
std::string spread_text(const io::LpModel& model) {
  constexpr double wide = 1e10;
  double least = simplex::infinity;
  double most = 0;
  const auto see = [&](double value) {
    if (value == 0 || std::isinf(value)) return;
    least = std::min(least, std::abs(value));
    most = std::max(most, std::abs(value));
  };
  for (Index j = 0; j < model.program.columns(); ++j) {
    see(model.program.cost(j));
    for (const auto& entry : model.program.column(j)) see(entry.value);
  }
  if (!(most > wide * least)) return {};
  return fmt::format("; its coefficients range from {:.3g} to {:.3g}, too far apart for double precision",
                     least, most);
}

}  // namespace

io::Json lp_json(const io::LpModel& model, const LpSolution& solution, std::string_view status) {
  io::Json json;
  json[key::schema] = "nestor.lp/1";
  json[key::name] = model.name;
  json[key::status] = status;
  json["sense"] = model.maximize ? "maximize" : "minimize";
  json["relaxed_integers"] = model.has_integers();
  if (solution.status == LpStatus::optimal) json[key::objective] = solution.objective;
  json["iterations"] = solution.iterations;
  auto& columns = json["columns"] = io::Json::array();
  for (Index j = 0; j < model.program.columns(); ++j) {
    io::Json column;
    column[key::name] = model.column_names[j];
    if (has_point(solution)) {
      column[key::value] = solution.x[j];
      column["reduced_cost"] = solution.reduced_cost[j];
    }
    if (!solution.ray.empty()) column["ray"] = solution.ray[j];
    columns.push_back(std::move(column));
  }
  auto& rows = json[key::rows] = io::Json::array();
  for (Index i = 0; i < model.program.rows(); ++i) {
    io::Json row;
    row[key::name] = model.row_names[i];
    if (has_point(solution)) {
      row["activity"] = solution.row_activity[i];
      row["dual"] = solution.row_dual[i];
    }
    if (!solution.farkas.empty()) row["farkas"] = solution.farkas[i];
    rows.push_back(std::move(row));
  }
  return json;
}

std::string lp_text(const io::LpModel& model, const LpSolution& solution, std::string_view status) {
  auto text = fmt::format("{}{}{} rows, {} columns, {} entries\n", model.name, model.name.empty() ? "" : ": ",
                          io::count_text(model.program.rows()), io::count_text(model.program.columns()),
                          io::count_text(static_cast<Int>(model.program.entries())));
  if (model.has_integers()) text += "integer columns are relaxed\n";
  text += fmt::format("status      {}\niterations  {}\n", status, solution.iterations);
  if (solution.status == LpStatus::optimal) {
    text +=
        fmt::format("objective   {:.12g} ({})\n", solution.objective, model.maximize ? "maximum" : "minimum");
    text += pairs_text(model.column_names, solution.x, solution.reduced_cost,
                       {{"column", io::Align::left}, {"value"}, {"reduced cost"}});
    text += pairs_text(model.row_names, solution.row_activity, solution.row_dual,
                       {{"row", io::Align::left}, {"activity"}, {"dual"}});
  }
  if (!solution.farkas.empty())
    text += vector_text("row", "multiplier of the contradiction", model.row_names, solution.farkas);
  if (!solution.ray.empty())
    text += vector_text("column", "ray of ever better objective", model.column_names, solution.ray);
  return text;
}

std::string no_optimum_text(const io::LpModel& model, LpStatus status) {
  if (status == LpStatus::infeasible) return "infeasible: no point satisfies all rows and bounds";
  if (status == LpStatus::unbounded) return "unbounded: there is no optimum";
  return fmt::format("numerical trouble: no answer could be certified{}", spread_text(model));
}

}  // namespace nestor::report
