#include "report/lp_solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::put;
using io::put_signed;
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

struct LpColumn {
  std::string name;
  std::optional<double> value{}, reduced_cost{}, ray{};
};
struct LpRow {
  std::string name;
  std::optional<double> activity{}, dual{}, farkas{};
};

std::optional<double> entry_of(const std::vector<double>& values, std::size_t i) {
  return values.empty() ? std::nullopt : std::optional(values[i]);
}

void describe_column(Fields& fields, const LpColumn& column) {
  put(fields, key::name, column.name, "");
  put_signed(fields, key::value, column.value, "");
  put_signed(fields, "reduced_cost", column.reduced_cost, "");
  put_signed(fields, "ray", column.ray,
             "If unbounded: entry of the column in a direction that improves the objective without limit.");
}

void describe_row(Fields& fields, const LpRow& row) {
  put(fields, key::name, row.name, "");
  put_signed(fields, "activity", row.activity, "");
  put_signed(fields, "dual", row.dual, "");
  put_signed(fields, "farkas", row.farkas, "If infeasible: multiplier of the row in the contradiction.");
}

void describe_lp(Fields& fields, const io::LpModel& model, const LpSolution& solution,
                 std::string_view status) {
  static constexpr std::array<std::string_view, 6> statuses = {
      "optimal", "infeasible", "unbounded", "time_limit", "interrupted", "numerical_trouble"};
  static constexpr std::array<std::string_view, 2> senses = {"minimize", "maximize"};
  fields.constant(key::schema, "nestor.lp/1", io::always, "");
  put(fields, key::name, model.name, "Name of the program, as given in the file.");
  put_word(fields, key::status, status, statuses, "");
  put_word(fields, "sense", senses[model.maximize ? 1 : 0], senses, "");
  put(fields, "relaxed_integers", model.has_integers(),
      "True if the file has integer columns; the solution is then that of the relaxation.");
  put_signed(fields, key::objective,
             solution.status == LpStatus::optimal ? std::optional(solution.objective) : std::nullopt,
             "Optimum; present only if the status is optimal.");
  put(fields, "iterations", solution.iterations, "");
  const bool is_known = has_point(solution);
  const std::vector<double> none;
  std::vector<LpColumn> columns;
  for (Index j = 0; j < model.program.columns(); ++j)
    columns.push_back({model.column_names[j], entry_of(is_known ? solution.x : none, j),
                       entry_of(is_known ? solution.reduced_cost : none, j), entry_of(solution.ray, j)});
  std::vector<LpRow> rows;
  for (Index i = 0; i < model.program.rows(); ++i)
    rows.push_back({model.row_names[i], entry_of(is_known ? solution.row_activity : none, i),
                    entry_of(is_known ? solution.row_dual : none, i), entry_of(solution.farkas, i)});
  put_list(fields, "columns", columns, describe_column, "");
  put_list(fields, key::rows, rows, describe_row, "");
}

}  // namespace

io::Json lp_json(const io::LpModel& model, const LpSolution& solution, std::string_view status) {
  return io::write_fields([&](Fields& fields) { describe_lp(fields, model, solution, status); });
}

io::Json lp_schema() {
  return io::schema_of([](Fields& fields) { describe_lp(fields, {}, {}, ""); }, io::SchemaKind::output);
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
