// First columns of a table with a mapping per row: layer, repeats, status, objective, lower bound and gap.
// The last three are left out if other columns repeat them: the objective if it is cycles or energy, and
// bounds if all layers are proved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/results/result_parts.h"
#include "report/tables/table.h"

namespace nestor::report {

/// Formats a value of an objective. Only an energy has a unit.
std::string objective_text(std::string_view objective, double value);

class GoalColumns {
 public:
  GoalColumns(std::string objective, bool with_bounds);

  /// Returns a table with these columns and further ones.
  io::Table table_with(std::vector<io::Column> further) const;
  /// Returns the first cells of a layer's row. `status` is missing for a mapping of a baseline.
  std::vector<std::string> layer_cells(const Layer& layer, const std::optional<Status>& status,
                                       const std::optional<double>& objective,
                                       const std::optional<double>& lower_bound) const;
  std::vector<std::string> totals_cells(const io::ResultTotals& totals) const;

 private:
  void add_goal(std::vector<std::string>& cells, const std::optional<double>& objective,
                const std::optional<double>& lower_bound) const;

  std::string objective_;
  bool has_objective_, has_bounds_;
};

}  // namespace nestor::report
