#include "app/mip.h"

#include <fmt/format.h>

#include <cmath>

#include "io/lp/solution_file.h"
#include "io/sha256.h"

namespace nestor::app {

io::Json sidecar_of(const MipModel& model) {
  io::Json json = model.head();
  json["columns"] = model.columns();
  json["sha256"] = io::sha256(json.dump());
  return json;
}

io::Result<ImportedMapping> import_solution(const MipModel& model, const std::string& text,
                                            const std::string& file, std::optional<double>* claimed) {
  const auto solution = io::parse_solution(text, file);
  if (!solution) return solution.error();
  if (claimed != nullptr) *claimed = solution->objective;
  if (!solution->has_values)
    return io::input_error({file}, fmt::format("there is no solution in the file{}{}",
                                               solution->status.empty() ? "" : ": ", solution->status));
  const auto& columns = model.program().columns();
  std::vector<std::string_view> names;
  for (const auto& column : columns) names.push_back(column.name);
  auto values = io::column_values(*solution, names, file);
  if (!values) return values.error();
  const auto as_found = *values;
  constexpr double integrality = 1e-4;  // solvers allow 1e-6; after presolve, some allow ten times more
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!columns[j].integer) continue;
    double& value = (*values)[j];
    if (std::abs(value - std::round(value)) > integrality)
      return io::input_error({file},
                             fmt::format("column {} is {}, expected a whole number", columns[j].name, value));
    value = std::round(value);
  }
  // Rows with continuous columns hold only up to the solver's tolerance, and only before rounding. The
  // evaluator computes the true cost of such a solution.
  constexpr double row_tolerance = 1e-4;  // relative to the largest term of a row
  auto broken = model.program().broken(*values, 1e-9, true);
  if (broken.empty()) broken = model.program().broken(as_found, row_tolerance);
  if (!broken.empty())
    return io::input_error({file},
                           fmt::format("the columns contradict each other: {} does not hold", broken));
  return model.import(*values, solution->objective, file);
}

}  // namespace nestor::app
