#include "report/mip/model_file.h"

#include <fmt/format.h>

#include <iterator>

#include "io/files.h"

namespace nestor::report {

io::LpModel lp_model(const mip::Program& program, const std::string& name) {
  io::LpModel model;
  model.name = name;
  model.objective_name = "cost";
  for (const mip::Column& column : program.columns()) {
    model.program.add_column(column.cost, {column.lower, column.upper});
    model.column_names.push_back(column.name);
    model.integer.push_back(column.integer);
  }
  for (const mip::Row& row : program.rows()) {
    simplex::Interval bounds{row.right, row.right};
    if (row.sense == mip::Sense::at_most) bounds.lower = -simplex::infinity;
    if (row.sense == mip::Sense::at_least) bounds.upper = simplex::infinity;
    model.program.add_row(bounds, row.terms);
    model.row_names.push_back(row.name);
  }
  return model;
}

io::MaybeError write_starts(const std::filesystem::path& model, const mip::Program& program) {
  const double objective = program.objective(program.known());
  const auto& columns = program.columns();
  std::string gurobi = fmt::format("# Objective value = {}\n", objective);
  std::string highs =
      fmt::format("Model status\nUnknown\n\n# Primal solution values\nFeasible\nObjective {}\n# Columns {}\n",
                  objective, columns.size());
  std::string scip = fmt::format("solution status: unknown\nobjective value: {}\n", objective);
  std::string cbc = fmt::format("Feasible - objective value {}\n", objective);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double value = program.known()[j];
    const auto line = fmt::format("{} {}\n", columns[j].name, value);
    gurobi += line;
    highs += line;
    if (value == 0) continue;
    scip += line;
    fmt::format_to(std::back_inserter(cbc), "{} {} {} 0\n", j, columns[j].name, value);
  }
  highs += "# Rows 0\n";
  const auto write = [&](const char* ending, const std::string& text) {
    auto path = model;
    return io::write_file(path.replace_extension(ending), text);
  };
  if (auto error = write(".mst", gurobi)) return error;
  if (auto error = write(".sol", highs)) return error;
  if (auto error = write(".scip.sol", scip)) return error;
  return write(".start", cbc);
}

}  // namespace nestor::report
