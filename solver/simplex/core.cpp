#include "solver/simplex/core.h"

#include <algorithm>
#include <cmath>

#include "solver/simplex/scaling.h"

namespace nestor::simplex {
namespace {

// Costs are scaled so that the largest absolute cost is roughly between 1 and this value, which makes the
// dual tolerance meaningful.
constexpr double largest_cost = 1024;
// Multipliers with a lower density are priced by rows, and others by columns.
constexpr double row_price_density = 0.25;

}  // namespace

void Core::load(const LinearProgram& program, bool scale) {
  columns = program.columns();
  rows = program.rows();
  total = columns + rows;
  const Scaling scaling = scale ? geometric_scaling(program)
                                : Scaling{std::vector<double>(rows, 1.0), std::vector<double>(columns, 1.0)};
  unit.resize(total);
  for (Index j = 0; j < columns; ++j) unit[j] = scaling.column[j];
  for (Index i = 0; i < rows; ++i) unit[columns + i] = 1 / scaling.row[i];

  column_start_.assign(columns + std::size_t{1}, 0);
  row_start_.assign(rows + std::size_t{1}, 0);
  column_entries_.clear();
  column_entries_.reserve(program.entries());
  for (Index j = 0; j < columns; ++j) {
    for (const Entry& entry : program.column(j)) {
      column_entries_.push_back({entry.index, entry.value * scaling.row[entry.index] * scaling.column[j]});
      ++row_start_[entry.index + std::size_t{1}];
    }
    column_start_[j + std::size_t{1}] = column_entries_.size();
  }
  for (std::size_t i = 1; i <= rows; ++i) row_start_[i] += row_start_[i - 1];
  row_entries_.resize(column_entries_.size());
  std::vector<std::size_t> next(row_start_.begin(), row_start_.end() - 1);
  for (Index j = 0; j < columns; ++j)
    for (const Entry& entry : column(j)) row_entries_[next[entry.index]++] = {j, entry.value};
  logical_entries_.resize(rows);
  for (Index i = 0; i < rows; ++i) logical_entries_[i] = {i, -1.0};

  value.assign(total, 0.0);
  reduced.assign(total, 0.0);
  work_.resize(rows);
  reload_bounds(program);
  reload_costs(program);
}

void Core::reload_bounds(const LinearProgram& program) {
  true_lower.resize(total);
  true_upper.resize(total);
  for (Index j = 0; j < total; ++j) {
    const Interval& bounds = j < columns ? program.column_bounds(j) : program.row_bounds(j - columns);
    true_lower[j] = bounds.lower / unit[j];
    true_upper[j] = bounds.upper / unit[j];
  }
  lower = true_lower;
  upper = true_upper;
}

void Core::reload_costs(const LinearProgram& program) {
  true_cost.assign(total, 0.0);
  double largest = 0;
  for (Index j = 0; j < columns; ++j) {
    true_cost[j] = program.cost(j) * unit[j];
    largest = std::max(largest, std::abs(true_cost[j]));
  }
  cost_unit = 1;
  if (largest > largest_cost) cost_unit = power_of_two_near(largest / largest_cost);
  if (largest > 0 && largest < 1) cost_unit = power_of_two_near(largest);
  for (double& c : true_cost) c /= cost_unit;
  cost = true_cost;
}

std::span<const Entry> Core::column(Index variable) const {
  if (variable < columns) return span_of(column_start_, column_entries_, variable);
  return {&logical_entries_[variable - columns], 1};
}

void Core::set_slack_basis() {
  place.assign(total, Place::at_lower);
  for (Index i = 0; i < rows; ++i) place[columns + i] = Place::basic;
  complete_head();
}

void Core::set_basis(const std::vector<Place>& places) {
  place = places;
  complete_head();
}

void Core::complete_head() {
  head.clear();
  for (Index j = 0; j < total; ++j) {
    if (place[j] != Place::basic) continue;
    if (head.size() < rows)
      head.push_back(j);
    else
      place[j] = Place::at_lower;
  }
  for (Index i = 0; i < rows && head.size() < rows; ++i) {
    if (place[columns + i] == Place::basic) continue;
    place[columns + i] = Place::basic;
    head.push_back(columns + i);
  }
  dual_weight.assign(rows, 1.0);
  refactor();
}

void Core::set_nonbasic(Index variable) {
  Place& where = place[variable];
  if (is_free(variable)) {
    where = Place::at_zero;
    value[variable] = 0;
    return;
  }
  if (where == Place::at_zero) where = Place::at_lower;
  if (where == Place::at_lower && lower[variable] == -infinity) where = Place::at_upper;
  if (where == Place::at_upper && upper[variable] == infinity) where = Place::at_lower;
  value[variable] = where == Place::at_lower ? lower[variable] : upper[variable];
}

void Core::refactor() {
  old_head_ = head;
  weight_of_variable_.assign(rows, 1.0);
  basis_columns_.resize(rows);
  for (Index r = 0; r < rows; ++r) {
    basis_columns_[r] = column(head[r]);
    weight_of_variable_[r] = dual_weight[r];
  }
  for (const auto& repair : factors.factor(basis_columns_, threshold)) {
    place[old_head_[repair.column]] = Place::at_lower;
    old_head_[repair.column] = columns + repair.row;
    place[columns + repair.row] = Place::basic;
    weight_of_variable_[repair.column] = 1;
  }
  for (Index r = 0; r < rows; ++r) {
    const Index at = factors.row_of_column(r);
    head[at] = old_head_[r];
    dual_weight[at] = weight_of_variable_[r];
  }
  compute_primals();
  compute_duals();
}

void Core::refactor_if_long() {
  if (factors.updates() >= update_limit || factors.is_long()) refactor();
}

void Core::compute_primals() {
  work_.clear();
  for (Index j = 0; j < total; ++j) {
    if (place[j] == Place::basic) continue;
    set_nonbasic(j);
    if (value[j] == 0) continue;
    for (const Entry& entry : column(j)) work_.add(entry.index, -entry.value * value[j]);
  }
  factors.forward(work_);
  for (Index r = 0; r < rows; ++r) value[head[r]] = work_.value[r];
}

void Core::compute_duals() {
  work_.clear();
  for (Index r = 0; r < rows; ++r)
    if (cost[head[r]] != 0) work_.set(r, cost[head[r]]);
  factors.backward(work_);
  for (Index j = 0; j < total; ++j) {
    reduced[j] = cost[j];
    if (place[j] == Place::basic) {
      reduced[j] = 0;
      continue;
    }
    for (const Entry& entry : column(j)) reduced[j] -= entry.value * work_.value[entry.index];
  }
}

void Core::refine() {
  compute_primals();
  work_.clear();
  for (Index j = 0; j < total; ++j)
    if (value[j] != 0)
      for (const Entry& entry : column(j)) work_.add(entry.index, -entry.value * value[j]);
  factors.forward(work_);
  for (const Index r : work_.index) value[head[r]] += work_.value[r];

  compute_duals();
  // The reduced costs of the logicals are the duals. The residuals are the reduced costs of basic columns,
  // which should be 0.
  work_.clear();
  for (Index r = 0; r < rows; ++r) {
    const Index j = head[r];
    if (j >= columns) continue;
    double residual = cost[j];
    for (const Entry& entry : column(j)) residual -= entry.value * reduced[columns + entry.index];
    if (residual != 0) work_.set(r, residual);
  }
  factors.backward(work_);
  for (Index j = 0; j < total; ++j) {
    if (place[j] == Place::basic) continue;
    for (const Entry& entry : column(j)) reduced[j] -= entry.value * work_.value[entry.index];
  }
}

bool Core::restore_costs() {
  if (cost == true_cost) return false;
  cost = true_cost;
  compute_duals();
  return true;
}

bool Core::restore_bounds() {
  if (lower == true_lower && upper == true_upper) return false;
  lower = true_lower;
  upper = true_upper;
  compute_primals();
  return true;
}

void Core::forward_column(Index variable, SparseVector& v) {
  v.clear();
  for (const Entry& entry : column(variable)) v.set(entry.index, entry.value);
  factors.forward(v);
}

void Core::backward_unit(Index r, SparseVector& v) {
  v.clear();
  v.set(r, 1.0);
  factors.backward(v);
}

void Core::price(const SparseVector& multipliers, SparseVector& result) const {
  result.clear();
  if (static_cast<double>(multipliers.index.size()) < row_price_density * static_cast<double>(rows)) {
    for (const Index i : multipliers.index)
      for (const Entry& entry : row(i)) result.add(entry.index, entry.value * multipliers.value[i]);
  } else {
    for (Index j = 0; j < columns; ++j) {
      if (place[j] == Place::basic) continue;
      double sum = 0;
      for (const Entry& entry : column(j)) sum += entry.value * multipliers.value[entry.index];
      if (sum != 0) result.set(j, sum);
    }
  }
  for (const Index i : multipliers.index) result.set(columns + i, -multipliers.value[i]);
}

double Core::violation(Index variable) const {
  const double x = value[variable];
  if (x < lower[variable]) {
    const double distance = x - lower[variable];
    return -distance > primal_tolerance * (1 + std::abs(lower[variable])) ? distance : 0;
  }
  if (x > upper[variable]) {
    const double distance = x - upper[variable];
    return distance > primal_tolerance * (1 + std::abs(upper[variable])) ? distance : 0;
  }
  return 0;
}

double Core::primal_infeasibility() const {
  double sum = 0;
  for (const Index j : head) sum += std::abs(violation(j));
  return sum;
}

double Core::dual_violation(Index variable) const {
  const double d = reduced[variable];
  if (place[variable] == Place::basic || is_fixed(variable)) return 0;
  if (place[variable] == Place::at_zero) return std::abs(d);
  if (place[variable] == Place::at_lower) return d < 0 ? -d : 0;
  return d > 0 ? d : 0;
}

void Core::exchange(Index r, Index entering, Place leaving_place, const SparseVector& direction) {
  place[head[r]] = leaving_place;
  place[entering] = Place::basic;
  head[r] = entering;
  factors.update(r, direction);
}

}  // namespace nestor::simplex
